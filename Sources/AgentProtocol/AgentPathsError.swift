/// Why there is no place for the sockets of an agent.
public enum AgentPathsError: Error, Equatable, Sendable {
    /// Neither `XDG_RUNTIME_DIR` nor `XDG_STATE_HOME` nor `HOME` is an absolute path.
    case noFolder
    /// The folder that stands in for a runtime folder lies on a file system of the network.
    case remoteFolder
    /// The path of a socket has this many bytes, which is more than the kernel takes.
    case tooLong(bytes: Int)
    /// The vault's name cannot be that of a folder beside the sockets.
    case badName
}
