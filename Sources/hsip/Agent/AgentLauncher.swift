internal import AgentProtocol
internal import Commands
internal import Glibc
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

/// Starts the agent if no service manager does.
struct AgentLauncher {
    /// The agent's exit code if another agent is serving.
    private static let alreadyServed: Int32 = 4

    let environment: Environment

    /// Returns the path of the agent: beside this program, otherwise where packages install it, otherwise in `$PATH`.
    static func program(_ environment: Environment) -> String? { installed("hsip-agent", environment) }

    /// Returns the path of the program for the session bus, from the same places.
    static func secretsProgram(_ environment: Environment) -> String? {
        installed("hsip-secrets", environment)
    }

    private static func installed(_ name: String, _ environment: Environment) -> String? {
        InstalledProgram.path(of: name) ?? ChildProcess.find(name, in: environment)
    }

    /// Starts the agent and waits until it listens.
    ///
    /// - Returns: its warnings, one line each; nil if another agent has its sockets, and is about to listen or to
    ///   end.
    /// - Throws: `agentNotInstalled`, or `agentNotStarted` with the agent's message.
    func start(vault: String, storesAdded: Bool = false) throws -> [String]? {
        guard let program = Self.program(environment) else { throw Self.notInstalled }
        let agent = try AgentSpawn(
            program,
            vault: vault,
            options: storesAdded ? ["--store-added"] : [],
            environment
        )
        guard !agent.isReady else { return agent.lines }
        if agent.isLate { kill(agent.process, SIGTERM) }
        guard agent.waitForEnd() == Self.alreadyServed else {
            throw AgentLauncher.notStarted(agent.lines.last)
        }
        return nil
    }

    /// `hsip-agent` is not installed on this machine.
    static var notInstalled: Failure {
        Failure(
            .agentNotInstalled,
            "hsip-agent is not installed beside hsip, in /usr/libexec or in $PATH",
            hint: "apt install hsip-agent"
        )
    }

    /// The agent could not be started; `said` is the last line of its output.
    static func notStarted(_ said: String?) -> Failure {
        Failure(.agentNotStarted, said ?? "the agent did not start", hint: "hsip doctor")
    }
}

extension Context {
    /// Returns the agent, and starts it if none listens; several programs that start it at the same time share one.
    func startedAgent(storesAdded: Bool = false) throws -> (agent: AgentClient, isNew: Bool) {
        if let agent = try connectToAgent() { return (agent, false) }
        let launcher = AgentLauncher(environment: environment)
        let vault = try place().key
        return try output.working("starting the agent…") {
            let deadline = Deadline(seconds: AgentSpawn.seconds)
            while deadline.remaining > 0 {
                if let warnings = try launcher.start(vault: vault, storesAdded: storesAdded) {
                    for text in warnings {
                        output.warn(Warning("agentWarning", text, hint: "hsip agent status"))
                    }
                    guard let agent = try connectToAgent() else { throw AgentLauncher.notStarted(nil) }
                    return (agent, true)
                }
                // The other agent listens soon, or is ending.
                if let agent = try connectToAgent() { return (agent, false) }
                poll(nil, 0, 20)
            }
            throw AgentLauncher.notStarted(
                "another agent holds the sockets of this vault and does not listen"
            )
        }
    }
}
