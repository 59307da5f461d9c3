internal import Glibc
package import Presentation
public import VaultKit

/// The reason that a request to the agent failed.
public enum AgentError: Error, Equatable, Sendable {
    /// The vault refused the request, with the error that it throws without an agent, too.
    case vault(VaultError)
    /// The agent or its policy refused the request.
    case refused(Refusal)
    /// No agent listens on the socket.
    case noAgent
    /// Another user's program listens on the socket.
    case foreignAgent
    /// The connection was lost, or the agent broke the protocol; the request may or may not have been carried out.
    case lost(FrameError)
    /// The agent's sockets have no usable path.
    case paths(AgentPathsError)
}

/// The reason that the sockets of an agent have no usable path.
public enum AgentPathsError: Error, Equatable, Sendable {
    /// Neither `XDG_RUNTIME_DIR` nor `XDG_STATE_HOME` nor `HOME` is an absolute path.
    case noFolder
    /// XDG_RUNTIME_DIR is not set, and the state folder is on a network file system.
    case remoteFolder
    /// The path of a socket has this many bytes, which is more than the kernel accepts.
    case tooLong(bytes: Int)
    /// The vault's name cannot be the name of a folder beside the sockets.
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
        // An agent of another version may send a name that is unknown here.
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
    /// The failure for a socket without a listener: the agent was killed.
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

/// The content of an error frame: a refusal that every client may show, and the vault's own error if the vault refused.
extension AgentError: Codable {
    private enum Field: String, CodingKey {
        case error, cause
    }

    /// Encodes a refusal, or the name of the error with the vault's own error in full.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        if case .refused(let refusal) = self { return try fields.encode(refusal, forKey: .error) }
        let text = explanation
        try fields.encode(Refusal(text.exitCode, text.name, text.name), forKey: .error)
        if case .vault(let error) = self { try fields.encode(error, forKey: .cause) }
    }

    /// Decodes the vault's own error, as it is without the agent, or else a refusal.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let refusal = try fields.decode(Refusal.self, forKey: .error)
        // If this version does not know the vault's error, its name is shown.
        self = (try? fields.decode(VaultError.self, forKey: .cause)).map { .vault($0) } ?? .refused(refusal)
    }
}
