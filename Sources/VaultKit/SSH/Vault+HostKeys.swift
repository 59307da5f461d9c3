public import SSHFormats

extension Vault {
    /// All lines that count for some names, marks of revocation and authorities included, in their order.
    ///
    /// Only the few records that can hold them are read. A name with a port does not stand for the bare name:
    /// ask for both where both are wanted.
    public func knownHosts(for names: [HostName]) throws(VaultError) -> [KnownHost] {
        throw .ssh(.unknownHostKey)
    }

    /// Judges a key, which may be a certificate, that a host offers.
    ///
    /// With `noting`, that a trusted key was seen is written down, at most once a day; a failure of that is in
    /// the answer and does not change the verdict.
    public func checkHostKey(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) throws(VaultError) -> HostKeyCheck {
        throw .ssh(.unknownHostKey)
    }

    /// What is known of a host under this very name, or of all of them, history included, in order.
    public func hostKeys(for name: HostName? = nil) throws(VaultError) -> [HostKeySummary] {
        throw .ssh(.unknownHostKey)
    }

    /// Trusts a key for a host; a key that is trusted for this very name stays as it is.
    ///
    /// - Throws: what `trustHostKeys` throws.
    public func trustHostKey(
        _ key: PublicKey,
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) throws(VaultError) -> HostKeyTrust {
        throw .ssh(.unknownHostKey)
    }

    /// Trusts the keys of a host, all of them in one commit; of certificates the plain keys.
    ///
    /// - Parameter additional: whether the host is known by other keys and these come beside them.
    /// - Throws: `hostKeyChanged` when the host is known by another key, of whatever type, unless `additional`;
    ///   `hostKeyRevoked`; nothing is changed then.
    public func trustHostKeys(
        _ keys: [PublicKey],
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) throws(VaultError) -> [HostKeyTrust] {
        throw .ssh(.unknownHostKey)
    }

    /// Puts a key in the place of those that a host is known by; they are kept as history.
    ///
    /// Other hosts that share a line with it keep their key.
    ///
    /// - Parameters:
    ///   - expected: the fingerprint that the owner of the host gave for the new key.
    ///   - old: the fingerprint of the one key to replace; nil for all that are trusted under this very name.
    /// - Throws: `fingerprintDiffers` when the new key does not have the fingerprint; `unknownHostKey` when the
    ///   host is not known under this very name, or not by that old key; `hostKeyRevoked`.
    public func replaceHostKey(
        for name: HostName,
        by key: PublicKey,
        expecting expected: Fingerprint,
        replacing old: Fingerprint? = nil,
        source: HostKeySource = .compared
    ) throws(VaultError) -> HostKeyReplacement {
        throw .ssh(.unknownHostKey)
    }

    /// Marks a key as one that must never be taken: for a host under this very name, or for every host.
    ///
    /// Lines that trust it stay; the mark beats them. A key that is marked so already stays as it is.
    public func revokeHostKey(_ key: PublicKey, for name: HostName?) throws(VaultError) -> HostKeyTrust {
        throw .ssh(.unknownHostKey)
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
        throw .ssh(.unknownHostKey)
    }

    /// Takes out one whole line that counts, also a mark of revocation or an authority; 30 days long it can come
    /// back.
    ///
    /// - Throws: `unknownHostKey`.
    public func removeHostKey(id: HostKeySummary.ID) throws(VaultError) -> HostKeySummary {
        throw .ssh(.unknownHostKey)
    }

    /// Brings back what was last taken out of a name.
    ///
    /// - Throws: `unknownHostKey` when there is nothing; `hostKeyChanged` when another key was trusted since.
    public func restoreHostKeys(for name: HostName) throws(VaultError) -> [HostKeySummary] {
        throw .ssh(.unknownHostKey)
    }
}
