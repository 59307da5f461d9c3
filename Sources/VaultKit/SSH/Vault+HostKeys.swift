public import SSHFormats

extension Vault {
    /// Trusts a key for a host; a key already trusted under exactly this name stays as it is.
    ///
    /// - Throws: the errors of `trustHostKeys`.
    public func trustHostKey(
        _ key: PublicKey,
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) throws(VaultError) -> HostKeyTrust {
        try trustHostKeys([key], for: name, source: source, additional: additional)[0]
    }

    /// Trusts the keys of a host in one commit; for certificates, their plain keys.
    ///
    /// - Parameters:
    ///   - keys: the keys of the host; comments are dropped.
    ///   - name: the name and port under which hsip looks the host up.
    ///   - source: how the vault came to trust the keys.
    ///   - additional: whether to add the keys to the existing keys of the host.
    /// - Returns: the line of each key, in the order of `keys`, and whether it is new.
    /// - Throws: `hostKeyChanged` if the host has another key, of any type, unless `additional`;
    ///   `hostKeyRevoked`. Then nothing changes.
    public func trustHostKeys(
        _ keys: [PublicKey],
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) throws(VaultError) -> [HostKeyTrust] {
        let trusted = try onHostKeys { (book, now) throws(SSHFormatError) in
            try book.trust(keys, for: name, source: source, additional: additional, at: now)
        }
        return try trusted.map { (entry, isNew) throws(VaultError) in
            HostKeyTrust(line: try summary(of: entry), isNew: isNew)
        }
    }

    /// Replaces the keys of a host by a new one; the vault keeps the old keys as history.
    ///
    /// Other hosts that share a line with the host keep their key.
    ///
    /// - Parameters:
    ///   - name: the name and port under which hsip looks the host up.
    ///   - key: the new key of the host.
    ///   - expected: the fingerprint that the owner of the host gave for the new key.
    ///   - old: the fingerprint of the only key to replace; nil for all keys trusted under exactly this name.
    ///   - source: how the vault came to trust the new key.
    /// - Returns: the line with the new key, and the lines that became history.
    /// - Throws: `fingerprintDiffers` if the new key has another fingerprint; `unknownHostKey` if exactly
    ///   this name has no key, or not the old one; `hostKeyRevoked`.
    public func replaceHostKey(
        for name: HostName,
        by key: PublicKey,
        expecting expected: Fingerprint,
        replacing old: Fingerprint? = nil,
        source: HostKeySource = .compared
    ) throws(VaultError) -> HostKeyReplacement {
        guard Fingerprint(of: key, expected.kind) == expected else { throw .ssh(.fingerprintDiffers) }
        let (entry, replaced) = try onHostKeys { (book, now) throws(SSHFormatError) in
            try book.replace(old, for: name, by: key, source: source, at: now)
        }
        return HostKeyReplacement(
            line: try summary(of: entry),
            replaced: replaced.compactMap { HostKeySummary($0) }
        )
    }

    /// Revokes a key for a host under exactly this name, or for every host if `name` is nil.
    ///
    /// Lines that trust the key stay; the revocation overrides them. If the key is already revoked under this name, nothing
    /// changes.
    public func revokeHostKey(_ key: PublicKey, for name: HostName?) throws(VaultError) -> HostKeyTrust {
        let (entry, isNew) = try onHostKeys { (book, now) throws(SSHFormatError) in
            try book.revoke(key, for: name.map { HostPattern($0) } ?? .everyHost, at: now)
        }
        return HostKeyTrust(line: try summary(of: entry), isNew: isNew)
    }

    /// Removes the keys of a host, or only the key with this fingerprint.
    ///
    /// The vault keeps removed keys as history; they can be restored for 30 days.
    ///
    /// Revocations and authorities stay, and so do the keys of other names on the same line.
    ///
    /// - Throws: `unknownHostKey`.
    public func removeHostKeys(
        for name: HostName,
        only fingerprint: Fingerprint? = nil
    ) throws(VaultError) -> [HostKeySummary] {
        let removed = try onRemoval { (book, time) throws(SSHFormatError) in
            try book.remove(name, only: fingerprint, at: time)
        }
        return removed.compactMap { HostKeySummary($0) }
    }

    /// Removes one current line, also a revocation or an authority; it can be restored for 30 days.
    ///
    /// - Throws: `unknownHostKey`.
    public func removeHostKey(id: HostKeySummary.ID) throws(VaultError) -> HostKeySummary {
        let entry = try onRemoval { (book, time) throws(SSHFormatError) in
            try book.remove(line: id, at: time)
        }
        return try summary(of: entry)
    }

    /// Restores the keys that were last removed from a name.
    ///
    /// - Throws: `unknownHostKey` if there are none; `hostKeyChanged` if another key was trusted since.
    public func restoreHostKeys(for name: HostName) throws(VaultError) -> [HostKeySummary] {
        let restored = try onHostKeys { (book, _) throws(SSHFormatError) in try book.restore(name) }
        return restored.compactMap { HostKeySummary($0) }
    }

    /// Changes the whole book in one commit.
    ///
    /// `act` gets the book and the time in Unix seconds. With `isTrial` nothing is written.
    func onHostKeys<R>(
        isTrial: Bool = false,
        _ act: (inout HostKeyBook, UInt64) throws(SSHFormatError) -> R
    ) throws(VaultError) -> R {
        try transact(HostKeyTransaction.self, isTrial: isTrial) { known in
            let now = known.now
            return try known.act { (book) throws(SSHFormatError) in try act(&book, now) }
        }
    }

    /// Like `onHostKeys`, but `act` gets the removal time that the trash policy sets.
    private func onRemoval<R>(
        _ act: (inout HostKeyBook, UInt64) throws(SSHFormatError) -> R
    ) throws(VaultError) -> R {
        try transact(HostKeyTransaction.self) { known in
            let time = known.trash.removalTime
            return try known.act { (book) throws(SSHFormatError) in try act(&book, time) }
        }
    }

    private nonisolated func summary(of entry: HostKeyEntry) throws(VaultError) -> HostKeySummary {
        guard let summary = HostKeySummary(entry) else { throw .ssh(.unknownHostKey) }
        return summary
    }
}

/// The result of trusting a host key.
public struct HostKeyTrust: Sendable, Hashable, Codable {
    /// The line of the key.
    public let line: HostKeySummary
    /// Whether the line is new; if not, exactly this name had the key before, and nothing changed.
    public let isNew: Bool
}

/// The result of replacing host keys.
public struct HostKeyReplacement: Sendable, Hashable, Codable {
    /// The line with the new key.
    public let line: HostKeySummary
    /// The lines that became history; empty if the host had only the new key before.
    public let replaced: [HostKeySummary]
}
