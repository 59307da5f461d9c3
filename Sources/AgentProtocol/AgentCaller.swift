/// Shows the agent's questions to the person at this program's terminal.
public protocol AgentCaller: Sendable {
    /// Asks, and waits for the person; called on the thread that waits for the agent.
    func answer(_ question: Question) -> Answer

    /// Hears what the agent tells meanwhile; called on the same thread.
    func hear(_ event: AgentEvent)
}

extension AgentCaller {
    /// Passes it over.
    public func hear(_ event: AgentEvent) {}
}
