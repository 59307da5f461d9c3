public import SSHFormats
internal import VaultPolicy

extension Operations {
    /// The operations on SSH keys.
    static var sshKeyOperations: [any AnyOperation] {
        [
            sshKeys, sshPublicHalf, sshKey, generateSSHKey, importSSHKeys, setSSHKey, rotateSSHKey,
            removeSSHKey, restoreSSHKey,
        ]
    }

    /// Lists the keys of the vault by name, or the keys in its trash.
    public static let sshKeys = Operation.look("ssh-keys") {
        (vault: isolated Vault, _: Caller, listing: Listing) in
        try vault.sshKeys(inTrash: listing == .trash)
    }
    /// Returns the public half of a key and its certificates; the private half stays in the vault.
    public static let sshPublicHalf = Operation.look("ssh-key.public") {
        (vault: isolated Vault, _: Caller, name: String) in try vault.sshPublicHalf(name)
    }
    static let sshKey = Operation(
        "ssh-key.private",
        .values("read the private key %1"),
        subjects: { name in .named(name) },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, name: String) -> WholeKey in
        let (summary, record) = try vault.sshKey(name)
        return WholeKey(summary: summary, record: record)
    }
    /// Makes a key under a new name.
    public static let generateSSHKey = Operation(
        "ssh-key.generate",
        .change,
        subjects: { name, _, _, _ in .named(name) },
        audit: .change
    ) {
        (
            vault: isolated Vault,
            _: Caller,
            name: String,
            kind: KeyKind,
            comment: [UInt8],
            use: KeyUse
        ) in
        try vault.generateSSHKey(kind, named: name, comment: comment, use: use)
    }
    /// Imports keys into the vault, all of them in one commit.
    public static let importSSHKeys = Operation(
        "ssh-key.import",
        .change,
        subjects: { keys in .named(keys.map(\.name)) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, keys: [KeyImport]) in
        try vault.importSSHKeys(keys)
    }
    /// Changes name, comment or use of a key.
    public static let setSSHKey = Operation(
        "ssh-key.set",
        .decidesLater("change the conditions of the key %1"),
        when: { name, change in change.name == nil || change.name == name },
        otherwise: .decidesLater("rename the key %1 to %2, and change its conditions"),
        subjects: { name, change in CallSubjects.named(name, change.name).detailed(change.facts) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String, change: KeyChange) in
        try vault.setSSHKey(name, change)
    }
    static let rotateSSHKey = Operation(
        "ssh-key.rotate",
        .change,
        subjects: { name, _ in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String, kind: KeyKind?) -> RotatedKey in
        let (new, old) = try vault.rotateSSHKey(name, to: kind)
        return RotatedKey(new: new, old: old)
    }
    /// Moves a key to the trash.
    public static let removeSSHKey = Operation(
        "ssh-key.remove",
        .change,
        subjects: { name in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.removeSSHKey(name)
    }
    /// Restores a key from the trash.
    public static let restoreSSHKey = Operation(
        "ssh-key.restore",
        .decidesLater("restore the key %1 from the trash"),
        subjects: { name in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.restoreSSHKey(name)
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Returns a key with its private half.
    public func sshKey(_ name: String) async throws -> (summary: KeySummary, record: KeyRecord) {
        let key = try await self(Operations.sshKey, name)
        return (key.summary, key.record)
    }

    /// Makes a new key that replaces a key in use.
    public func rotateSSHKey(
        _ name: String,
        to kind: KeyKind? = nil
    ) async throws -> (new: KeySummary, old: KeySummary) {
        let pair = try await self(Operations.rotateSSHKey, name, kind)
        return (pair.new, pair.old)
    }
}

/// A key with its private half.
struct WholeKey: Codable, Sendable {
    let summary: KeySummary
    let record: KeyRecord
}

/// A new key, and the key that it replaced.
struct RotatedKey: Codable, Sendable {
    let new: KeySummary
    let old: KeySummary
}
