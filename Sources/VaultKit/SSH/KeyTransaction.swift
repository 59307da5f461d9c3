internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

typealias KeyTransaction = NamedRecordTransaction<KeyRecord>

/// The outcome of an import for a key, with its name in the vault.
struct PlacedKey {
    let name: String
    /// Whether the key was not in the vault before.
    var isNew = false
    /// Whether the key was in the trash before.
    var isRestored = false
    /// The number of new certificates for a key that was in the vault.
    var certificates = 0
}

extension KeyTransaction {
    /// Imports a key.
    ///
    /// A key in the trash is restored, because a person who imports a key wants to keep it. Its public half alone does not
    /// restore it, because anyone may have that.
    mutating func take(_ key: KeyImport) throws -> PlacedKey {
        let (publicKey, certificates) = Self.parts(of: key)
        guard let name = try name(of: publicKey.fingerprint.description) else {
            guard case .key(let record) = key.content else { throw SSHVaultError.unknownKey }
            if key.insists { try claim(key.name) }
            guard KeyName.isValid(key.name) else { throw SSHVaultError.badKeyName }
            let name = try freeName(like: key.name)
            try add(record, named: name)
            return PlacedKey(name: name, isNew: true)
        }
        var record = try open(name, inTrash: true)
        let isRestored = record.isRemoved
        if isRestored, case .present = key.content { throw SSHVaultError.unknownKey }
        record.removedAt = nil
        var added = 0
        for certificate in certificates where try record.add(certificate) { added += 1 }
        if isRestored || added > 0 { try replace(name, by: record) }
        return PlacedKey(name: name, isRestored: isRestored, certificates: added)
    }

    /// The other key of this vault that has the preferred name of a new key.
    ///
    /// Nil if the key is known, or if the name is free or belongs to a damaged record.
    mutating func rival(of key: KeyImport) throws -> KeySummary? {
        guard try name(of: Self.parts(of: key).key.fingerprint.description) == nil else { return nil }
        do {
            return try info(key.name).map { KeySummary($0) }.flatMap { $0.removedAt == nil ? $0 : nil }
        } catch StoreError.tampered(.record) {
            return nil
        }
    }

    /// Frees a name for another key: the key in use that has the name is kept as retired.
    ///
    /// - Returns: the name of the retired key.
    /// - Throws: `unknownKey`; `keyInTrash`.
    mutating func retire(_ name: String, for fresh: PublicKey) throws -> String {
        var old = try open(name)
        old.state = .retired
        old.retiredAt = now
        old.related = fresh.fingerprint.digest
        let aside = try freeName(like: name, ending: "-retired")
        try move(name, to: aside, as: old)
        return aside
    }

    /// Renames a key to a claimed name, and updates the host profiles that name it, also in the trash.
    mutating func rename(_ name: String, to other: String, as record: KeyRecord) throws {
        try move(name, to: other, as: record)
        let infos = try reader.list(
            try RecordKind(HostRecord.recordKind),
            where: try Attributes(["key": name])
        )
        for info in infos where !info.isNewer {
            guard var host = try reader.found(HostRecord.self, info.id.name)?.content else { continue }
            var fields = host.profile.fields
            fields.keyReference = other
            host.profile = try HostProfile(id: host.profile.id, fields)
            others.append(.put(try host.draft(named: info.id.name), expecting: info.revision))
        }
    }

    /// Refuses a comment that OpenSSH cannot read.
    ///
    /// - Throws: `format(.malformed)` for a comment with a zero byte.
    static func check(_ comment: [UInt8]) throws {
        guard !comment.contains(0) else { throw SSHVaultError.format(.malformed) }
    }

    /// Refuses keys that OpenSSH could not read in a list.
    ///
    /// Another program may supply a record as bytes, which do not prove who signed its certificates.
    ///
    /// - Throws: the error of `check(_:)` for the comment; the errors of `Certificate(signed:)`.
    static func check(_ key: KeyImport) throws {
        let (publicKey, certificates) = parts(of: key)
        try check(publicKey.comment)
        for certificate in certificates { _ = try Certificate(signed: certificate) }
    }

    /// The public half that identifies the key, and the certificates in the import.
    static func parts(of key: KeyImport) -> (key: PublicKey, certificates: [PublicKey]) {
        switch key.content {
        case .key(let record): (record.publicKey, record.certificates)
        case .present(let key, let certificates): (key, certificates)
        }
    }
}

/// Converts an SSH key from and to its record (Schemas/ssh-records.md).
extension KeyRecord: NamedRecord {
    static let recordKind = "ssh.key"
    static let identity: String? = "fingerprint"
    static let longestName = KeyName.longest
    static let isPurgedByEveryChange = true
    static let refusals = NameRefusals(
        unknown: .ssh(.unknownKey),
        inTrash: .ssh(.keyInTrash),
        taken: .ssh(.keyNameTaken),
        bad: .ssh(.badKeyName)
    )

    static func isName(_ name: String) -> Bool { KeyName.isValid(name) }

    init(body: Secret) throws { try self.init(content: body) }

    func body() throws -> Secret { try content() }

    func attributes() throws -> Attributes {
        let key = publicKey
        var pairs: [(name: String, value: [UInt8])] = []
        func add(_ name: String, _ value: String) { pairs.append((name, Array(value.utf8))) }
        add("fingerprint", key.fingerprint.description)
        add("type", key.algorithm.name)
        add("state", stored.word)
        add("origin", origin.word)
        if let bits = key.bits { add("bits", String(bits)) }
        if !key.comment.isEmpty {
            pairs.append(("comment", Array(key.comment.prefix(PublicKey.longestComment))))
        }
        if key.blob.count <= RecordLimits.attributeValue { pairs.append(("public", key.blob)) }
        if let time = removedAt { add("removed", String(time)) }
        if let time = retiredAt { add("retired", String(time)) }
        if use.needsConfirmation { add("confirm", "yes") }
        if use.isLocal { add("local", "yes") }
        if use.lifetime > 0 { add("lifetime", String(use.lifetime)) }
        if !use.hosts.isEmpty { add("only-for", use.hosts.joined(separator: ",")) }
        if !use.namespaces.isEmpty { add("sign", use.namespaces.joined(separator: ",")) }
        if !certificates.isEmpty { add("certificates", String(certificates.count)) }
        if let time = certificateEnd { add("certificate-end", String(time)) }
        return try Attributes(bytes: pairs)
    }
}
