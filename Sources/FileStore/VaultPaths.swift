internal import Files
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// The paths of a vault's files (Schemas/vault-file.md section 1).
public struct VaultPaths: Equatable, Sendable {
    /// The vault file; `-wal` and `-shm` are beside it.
    public let vault: String
    /// The folder of the anchor, outside the vault's own folder.
    public let anchorFolder: String

    /// A vault at any path.
    public init(vault: String, anchorFolder: String) {
        self.vault = vault
        self.anchorFolder = anchorFolder
    }

    /// The standard paths: `$XDG_DATA_HOME/hsip/NAME.hsipvault` and `$XDG_STATE_HOME/hsip`.
    ///
    /// A variable that is empty or not an absolute path is ignored, as the XDG rules ask; then `~/.local/share` and
    /// `~/.local/state` are used.
    ///
    /// - Returns: nil if the path depends on the home folder and `HOME` is not an absolute path, or if the name is
    ///   empty, hidden or contains a slash.
    public static func standard(name: String = "vault", environment: [String: String]) -> VaultPaths? {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else { return nil }
        let home = absolute("HOME", environment)
        guard let data = absolute("XDG_DATA_HOME", environment) ?? home.map({ $0 + "/.local/share" }),
            let state = absolute("XDG_STATE_HOME", environment) ?? home.map({ $0 + "/.local/state" })
        else { return nil }
        return VaultPaths(vault: "\(data)/hsip/\(name).hsipvault", anchorFolder: "\(state)/hsip")
    }

    /// The folder of the vault file.
    var folder: String { Folder.parent(of: vault) }

    /// The file of the anchor of one vault.
    package func anchor(_ vaultID: [UInt8]) -> String { "\(anchorFolder)/anchor-\(Hex.encode(vaultID))" }

    private static func absolute(_ name: String, _ environment: [String: String]) -> String? {
        guard let value = environment[name], value.hasPrefix("/") else { return nil }
        let end = value.lastIndex { $0 != "/" }
        return end.map { String(value[...$0]) } ?? ""
    }
}

extension PathChecks {
    /// Checks a vault, its log and its folders; throws `notFound` if the file does not exist.
    static func vault(_ path: String) throws(StoreError) {
        try folder(Folder.parent(of: path))
        guard try file(path) else { throw .notFound }
        // SQLite opens each of them, and would wait for a program that writes into a pipe.
        for ending in ["-wal", "-shm", "-journal"] { _ = try file(path + ending) }
    }

    /// Whether a vault can be written: its file can be changed, and its folder can hold a log.
    static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0 && access(Folder.parent(of: path), W_OK) == 0
    }
}
