internal import RecordStore
public import SSHFormats
internal import VaultCrypto

extension Vault {
    /// The keys of the vault by name, or the keys in its trash; no secret is opened.
    public func sshKeys(inTrash: Bool = false) throws(VaultError) -> [KeySummary] {
        try summaries().filter { ($0.removedAt != nil) == inTrash }
    }

    /// Whether the vault, or its trash, has a different private half for the public half of a key.
    package func hasOtherHalf(of key: PrivateKey) throws(VaultError) -> Bool {
        let fingerprint = key.publicKey.fingerprint.description
        guard let known = try summaries().first(where: { $0.fingerprint == fingerprint }) else {
            return false
        }
        let own = try sshKey(known.name).record.key
        return try asVaultError { !ConstantTime.equal(try own.wire(), try key.wire()) }
    }

    /// A key with its record, also from the trash.
    ///
    /// - Throws: `unknownKey`.
    public func sshKey(_ name: String) throws(VaultError) -> (summary: KeySummary, record: KeyRecord) {
        // Reads one key by its name: listing keys opens the infos of all records.
        let (info, record) = try reading { reader in
            try reader.opened(KeyRecord.self, name, inTrash: true)
        }
        return (KeySummary(info), record)
    }

    /// The public half of a key and its certificates, also from the trash.
    ///
    /// The private half stays in the vault.
    ///
    /// - Throws: `unknownKey`.
    public func sshPublicHalf(_ name: String) throws(VaultError) -> PublicHalf {
        let (summary, record) = try sshKey(name)
        return PublicHalf(summary, record)
    }

    /// Makes a key under a new name.
    ///
    /// - Throws: `badKeyName`; `keyNameTaken`; the errors of `KeyUse.check`.
    public func generateSSHKey(
        _ kind: KeyKind,
        named name: String,
        comment: [UInt8],
        use: KeyUse = KeyUse()
    ) throws(VaultError) -> KeySummary {
        try asVaultError { try KeyTransaction.check(comment) }
        // Making an RSA key needs seconds, so check the name first.
        try transact(KeyTransaction.self, isTrial: true) { keys in
            try keys.claim(name)
        }
        var record = KeyRecord(try made(kind, comment: comment), origin: .generated)
        record.use = use
        try transact(KeyTransaction.self) { keys in
            try keys.claim(name)
            try keys.add(record, named: name)
        }
        return try summary(name)
    }

    /// Imports keys in one commit, and reads them back.
    ///
    /// A key that exists, by its fingerprint, is not stored again: it is restored if it is in the trash, and
    /// gets its new certificates.
    ///
    /// - Throws: `keyNameTaken` for a required name; `badKeyName`; `readBackDiffers`; `format` for a
    ///   certificate without a valid signature of its CA, and for a comment with a zero byte.
    public func importSSHKeys(_ keys: [KeyImport]) throws(VaultError) -> [KeyImportOutcome] {
        try asVaultError { for key in keys { try KeyTransaction.check(key) } }
        let plan = try transact(KeyTransaction.self) { transaction in
            try keys.map { try transaction.take($0) }
        }
        let summaries = Dictionary(try summaries().map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        return try plan.map { (placed) throws(VaultError) in
            guard let summary = summaries[placed.name] else { throw .ssh(.readBackDiffers) }
            guard !placed.isNew else { return .stored(summary) }
            return placed.isRestored
                ? .restored(summary, newCertificates: placed.certificates)
                : .known(summary, newCertificates: placed.certificates)
        }
    }

    /// Changes name, comment or use of a key; host profiles follow a new name in the same commit.
    ///
    /// - Throws: `unknownKey`; `keyInTrash`; `keyNameTaken`; `badKeyName`; the errors of `KeyUse.check`.
    public func setSSHKey(_ name: String, _ change: KeyChange) throws(VaultError) -> KeySummary {
        if let comment = change.comment { try asVaultError { try KeyTransaction.check(comment) } }
        try transact(KeyTransaction.self) { keys in
            var record = try keys.open(name)
            change.apply(to: &record, at: keys.now)
            guard let other = change.name, other != name else { return try keys.replace(name, by: record) }
            try keys.claim(other)
            try keys.rename(name, to: other, as: record)
        }
        return try summary(change.name ?? name)
    }

    /// Replaces a key in use by a new one; the old key is kept as retired under another name.
    ///
    /// The new key has the use and the comment of the old one.
    ///
    /// - Parameters:
    ///   - name: the name of the key to replace, and of the new key.
    ///   - kind: the kind of the new key; nil for the kind of the old one, RSA with at least 3,072 bits.
    /// - Returns: the new key, and the old one under its other name.
    /// - Throws: `unknownKey`; `keyInTrash`; `keyNotInUse`; `keyInHardware`.
    public func rotateSSHKey(
        _ name: String,
        to kind: KeyKind? = nil
    ) throws(VaultError) -> (new: KeySummary, old: KeySummary) {
        let before = try reading { reader in
            try reader.opened(KeyRecord.self, name).content
        }
        guard !before.key.isHandle else { throw .ssh(.keyInHardware) }
        guard before.state == .active, let kind = kind ?? KeyKind(like: before.publicKey) else {
            throw .ssh(.keyNotInUse)
        }
        let key = try made(kind, comment: before.publicKey.comment)
        let retired = try transact(KeyTransaction.self) { keys in
            let old = try keys.open(name)
            guard old.state == .active, old.publicKey.isSameKey(as: before.publicKey) else {
                throw SSHVaultError.keyNotInUse
            }
            var fresh = KeyRecord(key, origin: .rotation)
            fresh.use = old.use
            fresh.related = old.publicKey.fingerprint.digest
            let retired = try keys.retire(name, for: fresh.publicKey)
            try keys.add(fresh, named: name)
            return retired
        }
        return (try summary(name), try summary(retired))
    }

    /// Moves a key to the trash, which keeps it for 30 days.
    ///
    /// - Throws: `unknownKey`; `keyInTrash`.
    public func removeSSHKey(_ name: String) throws(VaultError) -> KeySummary {
        try transact(KeyTransaction.self) { keys in try keys.remove(name) }
        return try summary(name)
    }

    /// Restores a key from the trash; a key outside the trash stays as it is.
    ///
    /// - Throws: `unknownKey`.
    public func restoreSSHKey(_ name: String) throws(VaultError) -> KeySummary {
        try transact(KeyTransaction.self) { keys in try keys.restore(name) }
        return try summary(name)
    }

    private func made(_ kind: KeyKind, comment: [UInt8]) throws(VaultError) -> PrivateKey {
        try asVaultError { try kind.make(comment: comment, entropy: entropy) }
    }

    private func summary(_ name: String) throws(VaultError) -> KeySummary {
        let info = try reading { reader in try reader.info(KeyRecord.self, name) }
        guard let info else { throw .ssh(.unknownKey) }
        return KeySummary(info)
    }

    private func summaries() throws(VaultError) -> [KeySummary] {
        try reading { reader in try reader.survey(KeyRecord.self) }.records
            .map { KeySummary($0) }
    }
}
