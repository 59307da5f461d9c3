public import SSHFormats

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// The host profiles by name, or those in the trash.
    public func sshHosts(inTrash: Bool = false) async throws -> [HostSummary] {
        try await perform(Operations.sshHosts, inTrash)
    }

    /// A host profile, the trash included.
    public func sshHost(_ name: String) async throws -> HostSummary {
        try await perform(Operations.sshHost, name)
    }

    /// Adds a host profile.
    public func addSSHHost(_ host: NewHost) async throws -> HostSummary {
        guard let added = try await addSSHHosts([host]).first else { throw VaultError.malformedCall }
        return added
    }

    /// Adds host profiles, all of them in one commit.
    public func addSSHHosts(_ hosts: [NewHost]) async throws -> [HostSummary] {
        try await perform(Operations.addSSHHosts, hosts)
    }

    /// Changes a host profile.
    public func setSSHHost(_ name: String, _ change: HostChange) async throws -> HostSummary {
        try await perform(Operations.setSSHHost, name, change)
    }

    /// Puts a host profile into the trash.
    public func removeSSHHost(_ name: String) async throws -> HostSummary {
        try await perform(Operations.removeSSHHost, name)
    }

    /// Takes a host profile out of the trash.
    public func restoreSSHHost(_ name: String) async throws -> HostSummary {
        try await perform(Operations.restoreSSHHost, name)
    }

    /// The host that is meant when none is named.
    public func defaultSSHHost() async throws -> HostSummary? {
        try await perform(Operations.defaultSSHHost)
    }

    /// Says which host is meant when none is named.
    public func setDefaultSSHHost(_ name: String?) async throws {
        _ = try await perform(Operations.setDefaultSSHHost, name)
    }

    /// All lines that count for some names.
    public func knownHosts(for names: [HostName]) async throws -> [KnownHost] {
        try await perform(Operations.knownHosts, names)
    }

    /// The same, where the vault is in this process on the thread of the caller.
    public func knownHostsAtOnce(for names: [HostName]) async throws -> [KnownHost] {
        if let local = self as? LocalService { return try local.vault.knownHostsAtOnce(for: names) }
        return try await knownHosts(for: names)
    }

    /// Judges a key that a host offers.
    public func checkHostKey(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) async throws -> HostKeyCheck {
        try await perform(Operations.checkHostKey, key, name, noting)
    }

    /// The same, where the vault is in this process on the thread of the caller.
    public func checkHostKeyAtOnce(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) async throws -> HostKeyCheck {
        if let local = self as? LocalService {
            return try local.vault.checkHostKeyAtOnce(key, for: name, noting: noting)
        }
        return try await checkHostKey(key, for: name, noting: noting)
    }

    /// What is known of a host under this very name, or of all of them.
    public func hostKeys(for name: HostName? = nil) async throws -> [HostKeySummary] {
        try await perform(Operations.hostKeys, name)
    }

    /// Trusts a key for a host.
    public func trustHostKey(
        _ key: PublicKey,
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) async throws -> HostKeyTrust {
        let trusted = try await trustHostKeys([key], for: name, source: source, additional: additional)
        guard let first = trusted.first else { throw VaultError.malformedCall }
        return first
    }

    /// Trusts the keys of a host, all of them in one commit.
    public func trustHostKeys(
        _ keys: [PublicKey],
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) async throws -> [HostKeyTrust] {
        try await perform(Operations.trustHostKeys, keys, name, source, additional)
    }

    /// Puts a key in the place of those that a host is known by.
    public func replaceHostKey(
        for name: HostName,
        by key: PublicKey,
        expecting expected: Fingerprint,
        replacing old: Fingerprint? = nil,
        source: HostKeySource = .compared
    ) async throws -> HostKeyReplacement {
        try await perform(Operations.replaceHostKey, name, key, expected, old, source)
    }

    /// Marks a key as one that must never be taken.
    public func revokeHostKey(_ key: PublicKey, for name: HostName?) async throws -> HostKeyTrust {
        try await perform(Operations.revokeHostKey, key, name)
    }

    /// Forgets the keys of a host, or the one with this fingerprint.
    public func removeHostKeys(
        for name: HostName,
        only fingerprint: Fingerprint? = nil
    ) async throws -> [HostKeySummary] {
        try await perform(Operations.removeHostKeys, name, fingerprint)
    }

    /// Takes out one whole line that counts.
    public func removeHostKey(id: HostKeySummary.ID) async throws -> HostKeySummary {
        try await perform(Operations.removeHostKey, id)
    }

    /// Brings back what was last taken out of a name.
    public func restoreHostKeys(for name: HostName) async throws -> [HostKeySummary] {
        try await perform(Operations.restoreHostKeys, name)
    }

    /// Takes the lines of a known_hosts file.
    public func importKnownHosts(
        _ file: KnownHostsFile,
        conflicts: KnownHostsImport.Conflicts = .leave,
        isTrial: Bool = false
    ) async throws -> KnownHostsImport {
        // A trial believes nothing: it is an operation of its own.
        try await perform(isTrial ? Operations.tryKnownHosts : Operations.importKnownHosts, file, conflicts)
    }

    /// Every line that counts, in order, byte for byte.
    public func exportKnownHosts() async throws -> KnownHostsFile {
        try await perform(Operations.exportKnownHosts)
    }
}
