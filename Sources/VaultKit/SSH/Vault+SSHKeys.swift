public import SSHFormats
internal import RecordStore
internal import VaultCrypto

extension Vault {
    /// The keys of the vault by name, or those in its trash; no secret is opened.
    public func sshKeys(inTrash: Bool = false) throws(VaultError) -> [KeySummary] {
        try onKeys { turn in turn.summaries.filter { ($0.removedAt != nil) == inTrash } }
    }

    /// A key with everything, the trash included.
    ///
    /// - Throws: `unknownKey`.
    public func sshKey(_ name: String) throws(VaultError) -> (summary: KeySummary, record: KeyRecord) {
        // Found by its name alone: to list keys is to open what is known of every record there is.
        try reading { (reader) throws(VaultError) in
            do {
                guard KeyName.isValid(name),
                    let record = try reader.find(try RecordID(SSHRecords.key, name))
                else { throw VaultError.ssh(.unknownKey) }
                return (KeySummary(record.info), try SSHRecords.key(record))
            } catch {
                throw VaultError(error)
            }
        }
    }

    /// The public half of a key and its certificates, the trash included; the private half stays here.
    ///
    /// - Throws: `unknownKey`.
    public func sshPublicHalf(_ name: String) throws(VaultError) -> PublicHalf {
        let (summary, record) = try sshKey(name)
        return PublicHalf(summary, record)
    }

    /// Makes a key under a new name.
    ///
    /// - Throws: `badKeyName`; `keyNameTaken`; what `KeyUse.check` refuses.
    public func generateSSHKey(
        _ kind: KeyKind,
        named name: String,
        comment: [UInt8],
        use: KeyUse = KeyUse()
    ) throws(VaultError) -> KeySummary {
        // RSA takes seconds: first what could refuse.
        try onKeys { (turn) throws(VaultError) in
            var turn = turn
            try turn.claim(name)
        }
        var record = KeyRecord(try kind.make(comment: comment, entropy: entropy), origin: .generated)
        record.use = use
        try onKeys { (turn) throws(VaultError) in
            try turn.claim(name)
            try turn.add(record, named: name)
        }
        return try readBack([(name, record)])[0]
    }

    /// Takes keys into the vault, all of them in one commit, and reads them back.
    ///
    /// One that is there already is not stored again: it is found by its fingerprint, comes out of the trash if it is
    /// there, and gets the certificates that are new.
    ///
    /// - Throws: `keyNameTaken` for a name that was insisted on; `badKeyName`; `readBackDiffers`.
    public func importSSHKeys(_ keys: [KeyImport]) throws(VaultError) -> [KeyImportOutcome] {
        let plan = try onKeys { (turn) throws(VaultError) in
            var placed: [Placed] = []
            for key in keys { placed.append(try turn.take(key, after: placed)) }
            return placed
        }
        // A key that came twice is as its last coming left it.
        var written: [String: KeyRecord] = [:]
        for placed in plan where placed.isWritten { written[placed.name] = placed.record }
        _ = try readBack(written.map { ($0.key, $0.value) })
        let summaries = try summaries()
        return try plan.map { (placed) throws(VaultError) in
            guard let summary = summaries[placed.name] else { throw .ssh(.readBackDiffers) }
            guard !placed.isNew else { return .stored(summary) }
            return placed.isRestored
                ? .restored(summary, newCertificates: placed.certificates)
                : .known(summary, newCertificates: placed.certificates)
        }
    }

    /// Changes name, comment or use of a key; host profiles follow it to another name in the same commit.
    ///
    /// - Throws: `unknownKey`; `keyInTrash`; `keyNameTaken`; `badKeyName`; what `KeyUse.check` refuses.
    public func setSSHKey(_ name: String, _ change: KeyChange) throws(VaultError) -> KeySummary {
        let record = try onKeys { (turn) throws(VaultError) in
            var record = try turn.key(name)
            change.apply(to: &record, at: turn.now)
            if let other = change.name, other != name {
                try turn.claim(other)
                try turn.move(name, to: other, as: record)
                try turn.renameReferences(from: name, to: other)
            } else {
                try turn.replace(name, by: record)
            }
            return record
        }
        return try readBack([(change.name ?? name, record)])[0]
    }

    /// Makes a new key in the place of one in use; the old one is kept as retired under another name.
    ///
    /// The new key has the use and the comment of the old one.
    ///
    /// - Parameter kind: nil for the kind that the old one is.
    /// - Throws: `unknownKey`; `keyInTrash`; `keyNotInUse`.
    public func rotateSSHKey(
        _ name: String,
        to kind: KeyKind? = nil
    ) throws(VaultError) -> (new: KeySummary, old: KeySummary) {
        let before = try onKeys { (turn) throws(VaultError) in try turn.key(name) }
        guard before.state == .active, let kind = kind ?? KeyKind(like: before.publicKey) else {
            throw .ssh(.keyNotInUse)
        }
        var fresh = KeyRecord(
            try kind.make(comment: before.publicKey.comment, entropy: entropy),
            origin: .rotation
        )
        let (aside, retired) = try onKeys { (turn) throws(VaultError) in
            var old = try turn.key(name)
            guard old.state == .active, old.publicKey.isSameKey(as: before.publicKey) else {
                throw .ssh(.keyNotInUse)
            }
            fresh.use = old.use
            fresh.related = old.publicKey.fingerprint.digest
            old.state = .retired
            old.retiredAt = turn.now
            old.related = fresh.publicKey.fingerprint.digest
            let aside = turn.freeName(like: name + "-retired")
            try turn.move(name, to: aside, as: old)
            try turn.add(fresh, named: name)
            return (aside, old)
        }
        let summaries = try readBack([(name, fresh), (aside, retired)])
        return (summaries[0], summaries[1])
    }

    /// Puts a key into the trash, which keeps it for 30 days.
    ///
    /// - Throws: `unknownKey`; `keyInTrash`.
    public func removeSSHKey(_ name: String) throws(VaultError) -> KeySummary {
        let record = try onKeys { (turn) throws(VaultError) in
            var record = try turn.key(name)
            record.removedAt = turn.now
            try turn.replace(name, by: record)
            return record
        }
        return try readBack([(name, record)])[0]
    }

    /// Takes a key out of the trash; one that is not in it stays as it is.
    ///
    /// - Throws: `unknownKey`.
    public func restoreSSHKey(_ name: String) throws(VaultError) -> KeySummary {
        let record = try onKeys { (turn) throws(VaultError) in
            var record = try turn.key(name, inTrash: true)
            guard record.isRemoved else { return record }
            record.removedAt = nil
            try turn.replace(name, by: record)
            return record
        }
        return try readBack([(name, record)])[0]
    }

    /// Opens keys again under their names and compares all of each with what was to be written.
    private func readBack(
        _ written: [(name: String, record: KeyRecord)]
    ) throws(VaultError) -> [KeySummary] {
        try onKeys { (turn) throws(VaultError) in
            var summaries: [String: KeySummary] = [:]
            for summary in turn.summaries { summaries[summary.name] = summary }
            return try written.map { (name, record) throws(VaultError) in
                let (wanted, found) = (try content(record), try content(try turn.key(name, inTrash: true)))
                guard ConstantTime.equal(wanted, found), let summary = summaries[name] else {
                    throw .ssh(.readBackDiffers)
                }
                return summary
            }
        }
    }

    private func summaries() throws(VaultError) -> [String: KeySummary] {
        try onKeys { turn in
            Dictionary(turn.summaries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private nonisolated func content(_ record: KeyRecord) throws(VaultError) -> Secret {
        do throws(SSHFormatError) {
            return try record.content()
        } catch {
            throw .ssh(.format(error))
        }
    }
}
