public import SSHFormats

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// The keys of the vault by name, or those in its trash.
    public func sshKeys(inTrash: Bool = false) async throws -> [KeySummary] {
        try await perform(Operations.sshKeys, inTrash)
    }

    /// The public half of a key and its certificates; the private half stays where it is.
    public func sshPublicHalf(_ name: String) async throws -> PublicHalf {
        try await perform(Operations.sshPublicHalf, name)
    }

    /// A key with everything, the private half too.
    public func sshKey(_ name: String) async throws -> (summary: KeySummary, record: KeyRecord) {
        let key = try await perform(Operations.sshKey, name)
        return (key.summary, key.record)
    }

    /// Makes a key under a new name.
    public func generateSSHKey(
        _ kind: KeyKind,
        named name: String,
        comment: [UInt8],
        use: KeyUse = KeyUse()
    ) async throws -> KeySummary {
        try await perform(Operations.generateSSHKey, name, kind, comment, use)
    }

    /// Takes keys into the vault, all of them in one commit.
    public func importSSHKeys(_ keys: [KeyImport]) async throws -> [KeyImportOutcome] {
        try await perform(Operations.importSSHKeys, keys)
    }

    /// Changes name, comment or use of a key.
    public func setSSHKey(_ name: String, _ change: KeyChange) async throws -> KeySummary {
        try await perform(Operations.setSSHKey, name, change)
    }

    /// Makes a new key in the place of one in use.
    public func rotateSSHKey(
        _ name: String,
        to kind: KeyKind? = nil
    ) async throws -> (new: KeySummary, old: KeySummary) {
        let pair = try await perform(Operations.rotateSSHKey, name, kind)
        return (pair.new, pair.old)
    }

    /// Puts a key into the trash.
    public func removeSSHKey(_ name: String) async throws -> KeySummary {
        try await perform(Operations.removeSSHKey, name)
    }

    /// Takes a key out of the trash.
    public func restoreSSHKey(_ name: String) async throws -> KeySummary {
        try await perform(Operations.restoreSSHKey, name)
    }
}
