internal import Glibc
package import Presentation
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

/// Why there is no place for the sockets of an agent.
public enum AgentPathsError: Error, Equatable, Sendable {
    /// Neither `XDG_RUNTIME_DIR` nor `XDG_STATE_HOME` nor `HOME` is an absolute path.
    case noFolder
    /// The folder that stands in for a runtime folder lies on a file system of the network.
    case remoteFolder
    /// The path of a socket has this many bytes, which is more than the kernel takes.
    case tooLong(bytes: Int)
    /// The vault's name cannot be that of a folder beside the sockets.
    case badName
}

extension AgentError: Explainable {
    package var explanation: Failure {
        switch self {
        case .vault(let error): error.explanation
        case .refused(.otherVault):
            Failure(
                .otherVault,
                "the agent that answers here serves another vault",
                hint: "hsip --vault PATH unlock"
            )
        // An agent of another version may have a name that is not known here.
        case .refused(let refusal):
            Failure(
                name: refusal.name,
                exitCode: refusal.exitCode,
                refusal.message,
                hint: refusal.hint
            )
        case .noAgent:
            Failure(.noAgent, "no agent is running for this vault", hint: "hsip agent start")
        case .foreignAgent:
            Failure(
                .foreignAgent,
                "another user's program listens where the agent should be",
                hint: "--no-agent"
            )
        case .lost(.timeout):
            Failure(.agentLost, "the agent did not answer in time", hint: "hsip agent restart")
        case .lost:
            Failure(
                .agentLost,
                "the agent went away in the middle of a request",
                hint: "hsip agent status"
            )
        case .paths(let reason): reason.explanation
        }
    }
}

extension Failure {
    /// A socket without a listener: the agent was killed.
    package static var deadAgent: Failure {
        Failure(
            .noAgent,
            "the agent has ended and left its socket behind",
            hint: "hsip agent start"
        )
    }
}

extension AgentPathsError: Explainable {
    package var explanation: Failure { Failure(.noAgentPath, message, hint: hint) }

    private var message: String {
        switch self {
        case .noFolder: "there is no folder for the agent: neither XDG_RUNTIME_DIR nor HOME is set"
        case .remoteFolder:
            "there is no folder for the agent: $XDG_RUNTIME_DIR is not set, and the home is remote"
        case .tooLong(let bytes): "the path of the agent's socket is too long (\(bytes) bytes)"
        case .badName: "an agent cannot have the name of this vault"
        }
    }

    private var hint: String {
        switch self {
        case .noFolder, .remoteFolder, .tooLong: "export XDG_RUNTIME_DIR=/run/user/\(getuid())"
        case .badName: "hsip --vault ./NAME.hsipvault unlock"
        }
    }
}

/// What an error frame says: what every client may show, and the vault's own error where it is one.
extension AgentError: Codable {
    private enum Field: String, CodingKey {
        case error, cause
    }

    /// Writes its name, and the vault's own error whole.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        if case .refused(let refusal) = self { return try fields.encode(refusal, forKey: .error) }
        let text = explanation
        try fields.encode(Refusal(text.exitCode, text.name, text.name), forKey: .error)
        if case .vault(let error) = self { try fields.encode(error, forKey: .cause) }
    }

    /// Reads the vault's own error, as it would be without the agent, else a refusal.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let refusal = try fields.decode(Refusal.self, forKey: .error)
        // An error of the vault that only another version has is shown by its name.
        self = (try? fields.decode(VaultError.self, forKey: .cause)).map { .vault($0) } ?? .refused(refusal)
    }
}
