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

    /// The exit code of the command line.
    public var exitCode: Int32 {
        switch self {
        case .vault(let error): error.exitCode
        case .refused(let refusal): refusal.exitCode
        case .noAgent, .foreignAgent, .lost, .paths: 12
        }
    }

    /// The name, as the JSON output spells it.
    public var name: String {
        switch self {
        case .vault(let error): error.name
        case .refused(let refusal): refusal.name
        case .noAgent: "noAgent"
        case .foreignAgent: "foreignAgent"
        case .lost: "agentLost"
        case .paths: "noAgentPath"
        }
    }
}
