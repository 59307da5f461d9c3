internal import CommandKit
internal import Console
internal import VaultKit
internal import VaultLifecycle

/// The same objects with the folder of this vault.
extension JSONValue {
    /// A key.
    static func sshKey(_ key: KeySummary, _ context: Context) throws -> JSONValue {
        .sshKey(key, publishedIn: try context.place().publicKeyFolder)
    }

    /// `ssh key list`.
    static func sshKeys(_ keys: [KeySummary], _ context: Context) throws -> JSONValue {
        .sshKeys(keys, publishedIn: try context.place().publicKeyFolder)
    }
}
