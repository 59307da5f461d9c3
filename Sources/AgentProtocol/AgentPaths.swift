internal import CLinux
internal import Glibc
internal import VaultCrypto

/// The paths of the sockets of a vault's agent (Schemas/control.md section 1); only this type computes them.
///
/// The vault named `vault` has `$XDG_RUNTIME_DIR/hsip/{control,ssh}.sock`; another vault has a folder below it. If
/// XDG_RUNTIME_DIR is not set, the folder is `$XDG_STATE_HOME/hsip/run`, unless it is on a network file system. The agent
/// itself refuses a folder that is open to other users.
public struct AgentPaths: Equatable, Sendable {
    /// The most bytes that the kernel accepts in the path of a socket, without the zero byte at its end.
    public static let longestPath = 107

    /// The folder of both sockets, created with mode 0700.
    public let folder: String
    /// The folders to create if they are missing, from the outside in; the last is `folder`.
    public let madeFolders: [String]

    /// The path of the control socket.
    public var control: String { folder + "/control.sock" }
    /// The path of the socket for the ssh-agent protocol.
    public var ssh: String { folder + "/ssh.sock" }

    /// Makes the paths of sockets in a given folder.
    ///
    /// - Throws: `tooLong` if the path of a socket would be too long.
    public init(folder: String) throws(AgentPathsError) {
        try self.init(folders: [folder])
    }

    /// Makes the paths of a vault's sockets.
    ///
    /// - Parameters:
    ///   - vault: The vault's name, or the absolute path of its file if the vault was given as a path.
    ///   - environment: The variables `XDG_RUNTIME_DIR`, `XDG_STATE_HOME` and `HOME`; relative paths are ignored.
    /// - Throws: `noFolder` if all three are missing or relative; `remoteFolder`; `badName`; `tooLong`.
    public init(vault: String, environment: [String: String]) throws(AgentPathsError) {
        var folders = try Self.base(environment)
        if vault != "vault" { folders.append("\(folders.last ?? "")/\(try Self.name(of: vault))") }
        try self.init(folders: folders)
    }

    private init(folders: [String]) throws(AgentPathsError) {
        madeFolders = folders
        folder = folders.last ?? ""
        let longest = max(control.utf8.count, ssh.utf8.count)
        guard longest <= Self.longestPath else { throw .tooLong(bytes: longest) }
    }

    /// Returns a folder's name for a vault; a path is hashed, because it may be too long.
    private static func name(of vault: String) throws(AgentPathsError) -> String {
        if vault.hasPrefix("/") {
            return "path-" + Hex.encode(Array(Hash.sha256(Array(vault.utf8)).prefix(8)))
        }
        guard !vault.isEmpty, !vault.hasPrefix("."), !vault.contains("/"), !vault.hasSuffix(".sock") else {
            throw .badName
        }
        return vault
    }

    private static func base(_ environment: [String: String]) throws(AgentPathsError) -> [String] {
        if let folder = absolute("XDG_RUNTIME_DIR", environment) { return [folder + "/hsip"] }
        let home = absolute("HOME", environment)
        guard let state = absolute("XDG_STATE_HOME", environment) ?? home.map({ $0 + "/.local/state" }) else {
            throw .noFolder
        }
        guard isLocal(state) else { throw .remoteFolder }
        return [state + "/hsip", state + "/hsip/run"]
    }

    private static func absolute(_ name: String, _ environment: [String: String]) -> String? {
        guard let value = environment[name], value.hasPrefix("/") else { return nil }
        let end = value.lastIndex { $0 != "/" }
        return end.map { String(value[...$0]) } ?? ""
    }

    /// The network file systems, by their numbers in statfs(2): two machines would share a socket that only one serves.
    private static let networkTypes: [UInt32] = [
        0x6969, 0xFE53_4D42, 0xFF53_4D42, 0x0102_1997, 0x5346_414F,
    ]

    /// Returns true if the nearest existing folder is not on a network file system.
    private static func isLocal(_ folder: String) -> Bool {
        var facts = statfs()
        var path = folder
        while unsafe statfs(path, &facts) != 0 {
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return true }
            path = String(path[..<slash])
        }
        return !networkTypes.contains(UInt32(truncatingIfNeeded: facts.f_type))
    }
}
