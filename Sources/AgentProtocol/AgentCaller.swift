public import VaultCrypto

/// An object that shows the agent's questions to the person at this program's terminal.
public protocol AgentCaller: Sendable {
    /// Shows a question and waits for the person; called on the thread that reads from the agent.
    func answer(_ question: Question) -> Answer

    /// Asks for a touch, and waits until the person chooses the passphrase or `end` is readable.
    func touch(_ question: Question, until end: Int32) -> Answer

    /// Handles an event of the agent; called on the thread that reads from the agent.
    func hear(_ event: AgentEvent)
}

extension AgentCaller {
    /// Answers without a question that nobody could be asked.
    public func touch(_ question: Question, until end: Int32) -> Answer { .nobody }

    /// Ignores the event.
    public func hear(_ event: AgentEvent) {}
}

/// A person's answer to a question, in an answer frame.
public enum Answer: Sendable, Codable {
    /// The requested secret.
    case passphrase(Secret)
    /// The person approved, for this many seconds; nil for this request only.
    case yes(remember: Int?)
    /// The person wants to enter the passphrase instead of the requested PIN or touch.
    case passphraseInstead
    /// The person refused, or closed the question.
    case no
    /// Nobody could be asked: no terminal, or questions are not allowed.
    case nobody
    /// The person did not answer in time.
    case late
}
