/// What the agent tells beside an answer; the JSON of an event frame, `{"event":"waiting"}`.
///
/// Nobody has to understand it.
public struct AgentEvent: Codable, Equatable, Sendable {
    /// What happened.
    public enum Name: String, Codable, Sendable {
        /// Somebody else is being asked for what this request needs, too.
        case waiting
    }

    /// What happened.
    public var event: Name

    /// An event.
    public init(event: Name) { self.event = event }
}
