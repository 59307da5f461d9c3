internal import AgentProtocol
internal import Commands
internal import Glibc
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

/// Starts the agent where no service manager does.
struct AgentLauncher {
    /// How it ends where another one serves.
    private static let alreadyServed: Int32 = 4

    let environment: Environment

    /// The agent's program: beside this one, else where packages put it, else in `$PATH`.
    static func program(_ environment: Environment) -> String? { installed("hsip-agent", environment) }

    /// The program that serves the session bus, in the same places.
    static func secretsProgram(_ environment: Environment) -> String? {
        installed("hsip-secrets", environment)
    }

    private static func installed(_ name: String, _ environment: Environment) -> String? {
        InstalledProgram.path(of: name) ?? ChildProcess.find(name, in: environment)
    }

    /// Starts it and waits until it listens.
    ///
    /// - Returns: what it warned of, a line each; nil when another agent has its sockets, which is about to listen or to
    ///   end.
    /// - Throws: `agentNotInstalled`, or `agentNotStarted` with what it said.
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

    /// There is no `hsip-agent` on this machine.
    static var notInstalled: Failure {
        Failure(
            .agentNotInstalled,
            "hsip-agent is not installed beside hsip, in /usr/libexec or in $PATH",
            hint: "apt install hsip-agent"
        )
    }

    /// The agent's program could not be started; `said` is its last line.
    static func notStarted(_ said: String?) -> Failure {
        Failure(.agentNotStarted, said ?? "the agent did not start", hint: "hsip doctor")
    }
}

extension Context {
    /// The agent, started where none listens yet; several programs that start it together use the same one.
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
                // It listens at once, or it is on its way out.
                if let agent = try connectToAgent() { return (agent, false) }
                poll(nil, 0, 20)
            }
            throw AgentLauncher.notStarted(
                "another agent holds the sockets of this vault and does not listen"
            )
        }
    }
}
