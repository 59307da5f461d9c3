/// What is signed, as the bytes themselves tell.
public enum Purpose: Hashable, Sendable {
    /// A login as `user`; the server, where the session names it.
    case login(user: String, host: HostFacts?)
    /// A file or a commit, under a namespace (SSHSIG).
    case file(namespace: String)
    /// A certificate for another key.
    case certificate
    /// Anything else: bytes whose meaning is not known.
    case raw

    /// The kind, as rules, the log and the table spell it.
    public var kind: ActKind {
        switch self {
        case .login: .login
        case .file: .file
        case .certificate: .certificate
        case .raw: .raw
        }
    }

    /// The server, where one is known.
    public var host: HostFacts? {
        guard case .login(_, let host) = self else { return nil }
        return host
    }
}
