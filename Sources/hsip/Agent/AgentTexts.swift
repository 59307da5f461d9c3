internal import AgentProtocol
internal import Console
internal import Glibc
internal import VaultKit

/// The words for an agent that does not do what was asked.
enum AgentTexts {
    static func explain(_ error: AgentError) -> Failure {
        switch error {
        case .vault(let error): Failures.explain(error)
        case .refused(.otherVault):
            failure(
                error,
                "the agent that answers here serves another vault",
                "hsip --vault PATH unlock"
            )
        case .refused(let refusal):
            Failure(
                status: refusal.exitCode,
                code: refusal.name,
                message: refusal.message,
                hint: refusal.hint
            )
        case .noAgent: failure(error, "no agent is running for this vault", "hsip agent start")
        case .foreignAgent:
            failure(error, "another user's program listens where the agent should be", "--no-agent")
        case .lost(.timeout): failure(error, "the agent did not answer in time", "hsip agent restart")
        case .lost:
            failure(error, "the agent went away in the middle of a request", "hsip agent status")
        case .paths(let reason): failure(error, text(of: reason), hint(for: reason))
        }
    }

    /// The agent's program could not be started.
    static func notStarted(_ said: String?) -> Failure {
        Failure(
            .unavailable,
            code: "agentNotStarted",
            message: said ?? "the agent did not start",
            hint: "hsip doctor"
        )
    }

    /// A socket that nobody serves: the agent was killed.
    static var dead: Failure {
        failure(.noAgent, deadText, "hsip agent start")
    }

    static let deadText = "the agent has ended without taking its socket away"

    /// There is no `hsip-agent` on this machine.
    static var notInstalled: Failure {
        Failure(
            .unavailable,
            code: "agentNotInstalled",
            message: "hsip-agent is not installed beside hsip, in /usr/libexec or in $PATH",
            hint: "apt install hsip-agent"
        )
    }

    private static func failure(_ error: AgentError, _ message: String, _ hint: String) -> Failure {
        Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    private static func hint(for reason: AgentPathsError) -> String {
        switch reason {
        case .noFolder, .remoteFolder, .tooLong: "export XDG_RUNTIME_DIR=/run/user/\(getuid())"
        case .badName: "hsip --vault ./NAME.hsipvault unlock"
        }
    }

    private static func text(of reason: AgentPathsError) -> String {
        switch reason {
        case .noFolder: "there is no folder for the agent: neither XDG_RUNTIME_DIR nor HOME is set"
        case .remoteFolder:
            "there is no folder for the agent: $XDG_RUNTIME_DIR is not set, and the home is remote"
        case .tooLong(let bytes): "the path of the agent's socket is too long (\(bytes) bytes)"
        case .badName: "an agent cannot have the name of this vault"
        }
    }
}

extension Failures {
    /// A folder for sockets that there is not.
    static func explain(_ error: AgentPathsError) -> Failure { AgentTexts.explain(.paths(error)) }
}
