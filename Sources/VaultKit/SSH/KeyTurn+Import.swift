internal import SSHFormats

/// Where a key of an import goes.
struct Placed {
    let name: String
    var record: KeyRecord
    /// It was not in the vault.
    var isNew = false
    /// It was in the trash.
    var isRestored = false
    /// New certificates of a key that was in the vault.
    var certificates = 0

    /// There is something to be written for it.
    var isWritten: Bool { isNew || isRestored || certificates > 0 }
}

extension KeyTurn {
    /// Finds the place for a key, after those of the same import that came before it.
    ///
    /// One that is in the trash comes out of it: who imports a key wants to keep it. Its public half alone is not enough,
    /// because everybody may have that.
    mutating func take(_ key: KeyImport, after placed: [Placed]) throws(VaultError) -> Placed {
        let (publicKey, certificates) = try Self.parts(of: key)
        if let twin = placed.last(where: { $0.record.publicKey.isSameKey(as: publicKey) }) {
            return try add(certificates, to: twin.record, named: twin.name, isNewcomer: twin.isNew)
        }
        if let holder = holder(of: publicKey) {
            var (name, record) = try present(holder.name)
            let isRestored = record.isRemoved
            if isRestored, case .present = key.content { throw .ssh(.unknownKey) }
            record.removedAt = nil
            if isRestored { try replace(name, by: record) }
            var placed = try add(certificates, to: record, named: name, isNewcomer: false)
            placed.isRestored = isRestored
            return placed
        }
        guard case .key(let record) = key.content else { throw .ssh(.unknownKey) }
        var name = key.name
        if key.insists {
            try claim(name)
        } else {
            guard KeyName.isValid(name) else { throw .ssh(.badKeyName) }
            name = freeName(like: name)
        }
        try add(record, named: name)
        return Placed(name: name, record: record, isNew: true)
    }

    /// The other key of this vault that has the name which a new key would like; nil where the key is known, or the name
    /// is free.
    func rival(of key: KeyImport) throws(VaultError) -> KeySummary? {
        guard holder(of: try Self.parts(of: key).key) == nil else { return nil }
        return infos[key.name].map { KeySummary($0) }.flatMap { $0.removedAt == nil ? $0 : nil }
    }

    /// The public half that says which key it is, and the certificates that come with it.
    static func parts(
        of key: KeyImport
    ) throws(VaultError) -> (key: PublicKey, certificates: [PublicKey]) {
        switch key.content {
        case .key(let record): return (record.publicKey, record.certificates)
        case .present(let key, let certificates): return (key, certificates)
        }
    }

    private mutating func add(
        _ certificates: [PublicKey],
        to record: KeyRecord,
        named name: String,
        isNewcomer: Bool
    ) throws(VaultError) -> Placed {
        var record = record
        var added = 0
        do throws(SSHFormatError) {
            for certificate in certificates where try record.add(certificate) { added += 1 }
        } catch {
            throw .ssh(.format(error))
        }
        if added > 0, isNewcomer { try add(record, named: name) }
        if added > 0, !isNewcomer { try replace(name, by: record) }
        return Placed(name: name, record: record, certificates: added)
    }
}
