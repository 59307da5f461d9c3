/// Whether an act may happen now.
public enum Verdict: Hashable, Sendable {
    /// It may.
    case allow(Reason)
    /// The owner is asked; `mayRemember` says whether a yes may hold for longer than once.
    case ask(Reason, mayRemember: Bool)
    /// It may not, and no one is asked.
    case deny(Reason)

    /// Why.
    public var reason: Reason {
        switch self {
        case .allow(let reason), .ask(let reason, _), .deny(let reason): reason
        }
    }
}
