public import VaultCrypto

/// Shows the agent's questions to the person at this program's terminal.
public protocol AgentCaller: Sendable {
    /// Asks, and waits for the person; called on the thread that waits for the agent.
    func answer(_ question: Question) -> Answer

    /// Asks for a touch, and waits until the person wants the passphrase or `end` can be read.
    func touch(_ question: Question, until end: Int32) -> Answer

    /// Hears what the agent tells meanwhile; called on the same thread.
    func hear(_ event: AgentEvent)
}

extension AgentCaller {
    /// Asks nobody.
    public func touch(_ question: Question, until end: Int32) -> Answer { .nobody }

    /// Passes it over.
    public func hear(_ event: AgentEvent) {}
}

/// What a person said to a question, in an answer frame.
public enum Answer: Sendable, Codable {
    /// The secret that was asked for.
    case passphrase(Secret)
    /// Yes, and for how many seconds that holds; nil for this one time.
    case yes(remember: Int?)
    /// The passphrase instead of the PIN or the touch that was asked for.
    case passphraseInstead
    /// No, or the question was left.
    case no
    /// No one could be asked: no terminal, or questions are not allowed.
    case nobody
    /// The person did not answer in time.
    case late
}
