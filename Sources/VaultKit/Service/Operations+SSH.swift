internal import SSHFormats

extension Operations {
    /// SSH keys.
    static var keys: [any AnyOperation] {
        [
            sshKeys, sshPublicHalf, sshKey, generateSSHKey, importSSHKeys, setSSHKey, rotateSSHKey,
            removeSSHKey, restoreSSHKey,
        ]
    }

    static let sshKeys = Operation("ssh-keys", .look) {
        (vault: isolated Vault, inTrash: Bool) throws(VaultError) in try vault.sshKeys(inTrash: inTrash)
    }
    static let sshPublicHalf = Operation("ssh-key.public", .look) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.sshPublicHalf(name)
    }
    static let sshKey = Operation("ssh-key.private", .reveal) {
        (vault: isolated Vault, name: String) throws(VaultError) -> WholeKey in
        let (summary, record) = try vault.sshKey(name)
        return WholeKey(summary: summary, record: record)
    }
    static let generateSSHKey = Operation("ssh-key.generate", .change, decidesLater: false) {
        (
            vault: isolated Vault,
            name: String,
            kind: KeyKind,
            comment: [UInt8],
            use: KeyUse
        ) throws(VaultError) in
        try vault.generateSSHKey(kind, named: name, comment: comment, use: use)
    }
    static let importSSHKeys = Operation("ssh-key.import", .change, decidesLater: false) {
        (vault: isolated Vault, keys: [KeyImport]) throws(VaultError) in try vault.importSSHKeys(keys)
    }
    static let setSSHKey = Operation("ssh-key.set", .change) {
        (vault: isolated Vault, name: String, change: KeyChange) throws(VaultError) in
        try vault.setSSHKey(name, change)
    }
    static let rotateSSHKey = Operation("ssh-key.rotate", .change, decidesLater: false) {
        (vault: isolated Vault, name: String, kind: KeyKind?) throws(VaultError) -> RotatedKey in
        let (new, old) = try vault.rotateSSHKey(name, to: kind)
        return RotatedKey(new: new, old: old)
    }
    static let removeSSHKey = Operation("ssh-key.remove", .change, decidesLater: false) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.removeSSHKey(name)
    }
    static let restoreSSHKey = Operation("ssh-key.restore", .change) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.restoreSSHKey(name)
    }
}

/// A key with its private half.
struct WholeKey: Codable, Sendable {
    let summary: KeySummary
    let record: KeyRecord
}

/// A new key and the one whose place it took.
struct RotatedKey: Codable, Sendable {
    let new: KeySummary
    let old: KeySummary
}
