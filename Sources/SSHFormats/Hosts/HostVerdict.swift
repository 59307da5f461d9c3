/// What known hosts say to a key that a host offers.
public enum HostVerdict: Hashable, Sendable, Codable {
    /// Nothing is known under the name. Whether to trust the key is a person's decision.
    case new
    /// The key is the one that is known.
    case match(KnownHost)
    /// Other keys are known under the name, whatever their types: these. The connection must not go on.
    case changed(trusted: [KnownHost])
    /// The key, or the authority that certified it, must never be taken; by this line.
    case revoked(KnownHost)
    /// A certificate for this host, by an authority that may speak for it; by this line.
    case certified(KnownHost)

    /// The lines that decided it.
    public var lines: [KnownHost] {
        switch self {
        case .new: []
        case .match(let line), .revoked(let line), .certified(let line): [line]
        case .changed(let trusted): trusted
        }
    }

    /// Whether a connection may go on without asking anyone.
    public var isTrusted: Bool {
        switch self {
        case .match, .certified: true
        case .new, .changed, .revoked: false
        }
    }
}
