internal import CLinux
internal import Glibc
internal import VaultCrypto

/// Where the agent of a vault listens (Schemas/control.md section 1); the one place that knows it.
///
/// `$XDG_RUNTIME_DIR/hsip/{control,ssh}.sock` for the vault that is called `vault`, one folder deeper for every
/// other one. Without a runtime folder it is `$XDG_STATE_HOME/hsip/run`, unless that lies on a file system of the
/// network; never a folder that others may write.
public struct AgentPaths: Equatable, Sendable {
    /// Bytes of a path that the kernel takes for a socket, without the zero at its end.
    public static let longestPath = 107

    /// The folder of both sockets; it is made with mode 0700.
    public let folder: String
    /// The folders that are made where they are missing, from the outside in; the last is `folder`.
    public let madeFolders: [String]

    /// The socket of the vault's own protocol.
    public var control: String { folder + "/control.sock" }
    /// The socket that speaks the ssh-agent protocol.
    public var ssh: String { folder + "/ssh.sock" }

    /// The sockets in a folder of choice.
    ///
    /// - Throws: `tooLong` when a socket there would have too long a path.
    public init(folder: String) throws(AgentPathsError) {
        try self.init(folders: [folder])
    }

    /// The sockets of a vault.
    ///
    /// - Parameters:
    ///   - vault: the vault's name, or the absolute path of its file when it was given as a path.
    ///   - environment: `XDG_RUNTIME_DIR`, `XDG_STATE_HOME` and `HOME` are read; what is not absolute is not
    ///     there.
    /// - Throws: `noFolder` when none of the three is an absolute path; `remoteFolder`; `badName`; `tooLong`.
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

    /// A vault that was given as a path gets a name out of it, as the path itself may be too long.
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

    /// Network file systems, as statfs(2) numbers them: two machines would meet at one socket that only one has.
    private static let networkTypes: [UInt32] = [
        0x6969, 0xFE53_4D42, 0xFF53_4D42, 0x0102_1997, 0x5346_414F,
    ]

    /// Asks the nearest folder that is there.
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
