public import SSHFormats

extension Vault {
    /// Trusts a key for a host; a key that is trusted for this very name stays as it is.
    ///
    /// - Throws: what `trustHostKeys` throws.
    public func trustHostKey(
        _ key: PublicKey,
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) throws(VaultError) -> HostKeyTrust {
        try trustHostKeys([key], for: name, source: source, additional: additional)[0]
    }

    /// Trusts the keys of a host, all of them in one commit; of certificates the plain keys.
    ///
    /// - Parameters:
    ///   - keys: what the host is to be known by; comments are dropped.
    ///   - name: the name and port that are looked up for the host.
    ///   - source: how the vault came to believe the keys.
    ///   - additional: whether the host is known by other keys and these come beside them.
    /// - Returns: what became of each key, in the order of `keys`.
    /// - Throws: `hostKeyChanged` when the host is known by another key, of whatever type, unless
    ///   `additional`; `hostKeyRevoked`; nothing is changed then.
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

    /// Puts a key in the place of those that a host is known by; they are kept as history.
    ///
    /// Other hosts that share a line with it keep their key.
    ///
    /// - Parameters:
    ///   - name: the name and port that are looked up for the host.
    ///   - key: the new key of the host.
    ///   - expected: the fingerprint that the owner of the host gave for the new key.
    ///   - old: the fingerprint of the one key to replace; nil for all that are trusted under this very name.
    ///   - source: how the vault came to believe the new key.
    /// - Returns: the line that counts now, and those that became history.
    /// - Throws: `fingerprintDiffers` when the new key does not have the fingerprint; `unknownHostKey` when
    ///   the host is not known under this very name, or not by that old key; `hostKeyRevoked`.
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

    /// Marks a key as one that must never be taken: for a host under this very name, or for every host.
    ///
    /// Lines that trust it stay; the mark beats them. A key that is marked so already stays as it is.
    public func revokeHostKey(_ key: PublicKey, for name: HostName?) throws(VaultError) -> HostKeyTrust {
        let (entry, isNew) = try onHostKeys { (book, now) throws(SSHFormatError) in
            try book.revoke(key, for: name.map { HostPattern($0) } ?? .everyHost, at: now)
        }
        return HostKeyTrust(line: try summary(of: entry), isNew: isNew)
    }

    /// Forgets the keys of a host, or the one with this fingerprint; they are kept as history, and 30 days long
    /// they can come back.
    ///
    /// Marks of revocation and authorities stay, and so does what other names of a line are known by.
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

    /// Takes out one whole line that counts, also a mark of revocation or an authority; 30 days long it can come
    /// back.
    ///
    /// - Throws: `unknownHostKey`.
    public func removeHostKey(id: HostKeySummary.ID) throws(VaultError) -> HostKeySummary {
        let entry = try onRemoval { (book, time) throws(SSHFormatError) in
            try book.remove(line: id, at: time)
        }
        return try summary(of: entry)
    }

    /// Brings back what was last taken out of a name.
    ///
    /// - Throws: `unknownHostKey` when there is nothing; `hostKeyChanged` when another key was trusted since.
    public func restoreHostKeys(for name: HostName) throws(VaultError) -> [HostKeySummary] {
        let restored = try onHostKeys { (book, _) throws(SSHFormatError) in try book.restore(name) }
        return restored.compactMap { HostKeySummary($0) }
    }

    /// Acts on the whole book, commits and reads back.
    ///
    /// `act` gets the book and the time in Unix seconds. With `isTrial` nothing is written.
    func onHostKeys<R>(
        isTrial: Bool = false,
        _ act: (inout HostKeyBook, UInt64) throws(SSHFormatError) -> R
    ) throws(VaultError) -> R {
        try transact(HostKeyTransaction.self, isTrial: isTrial) { (known) throws(VaultError) in
            let now = known.now
            return try known.act { (book) throws(SSHFormatError) in try act(&book, now) }
        }
    }

    /// The same for what takes lines out.
    private func onRemoval<R>(
        _ act: (inout HostKeyBook, UInt64) throws(SSHFormatError) -> R
    ) throws(VaultError) -> R {
        try transact(HostKeyTransaction.self) { (known) throws(VaultError) in
            let time = known.trash.removalTime
            return try known.act { (book) throws(SSHFormatError) in try act(&book, time) }
        }
    }

    private nonisolated func summary(of entry: HostKeyEntry) throws(VaultError) -> HostKeySummary {
        guard let summary = HostKeySummary(entry) else { throw .ssh(.unknownHostKey) }
        return summary
    }
}

/// What became of a host key that was to be trusted.
public struct HostKeyTrust: Sendable, Hashable, Codable {
    /// The line.
    public let line: HostKeySummary
    /// Whether it is new; if not, the key was trusted for this very name before, and nothing changed.
    public let isNew: Bool
}

/// What became of a host key that was to take the place of others.
public struct HostKeyReplacement: Sendable, Hashable, Codable {
    /// The line that counts now.
    public let line: HostKeySummary
    /// The lines that became history; none if the key was the only one before.
    public let replaced: [HostKeySummary]
}
