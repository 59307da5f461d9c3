public import VaultKit

/// Why a request to the agent came to nothing.
public enum AgentError: Error, Equatable, Sendable {
    /// The vault refused it; the same error as without the agent.
    case vault(VaultError)
    /// The agent or its policy refused it.
    case refused(Refusal)
    /// No agent listens there.
    case noAgent
    /// Another user's program listens there.
    case foreignAgent
    /// The agent went away, or broke the protocol; whether the request was done is not known.
    case lost(FrameError)
    /// There is no place where an agent could listen.
    case paths(AgentPathsError)
}
