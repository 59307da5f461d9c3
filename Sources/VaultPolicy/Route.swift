/// How a request to sign reached the agent.
public enum Route: Hashable, Sendable {
    /// By a connection that its program bound to one session of its own.
    case direct
    /// By a connection that was bound to no session: where it leads is not known.
    case unbound
    /// From another machine, through the hosts named here, the nearest first (empty where none has a name).
    case forwarded(through: [String])
}
