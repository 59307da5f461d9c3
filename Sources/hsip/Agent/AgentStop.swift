internal import AgentProtocol
internal import ArgumentParser
internal import CLinux
internal import Commands
internal import Glibc
internal import Presentation
internal import Text
internal import VaultLifecycle

/// `hsip agent stop`.
struct AgentStop: Command {
    static let path = "agent stop"
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Lock the vault and end the agent.",
        discussion: """
            Running requests have five seconds to end; open questions are closed.

              hsip agent stop
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent stop")
        let wasRunning = try await AgentEnding.end(context)
        context.output.note(wasRunning ? "the agent has ended" : "no agent was running")
        try context.output.succeed(["stopped": .bool(wasRunning)])
    }
}

/// `hsip agent restart`.
struct AgentRestart: Command {
    static let path = "agent restart"
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Restart the agent; the vault is locked afterwards.",
        discussion: """
            Use it after an update of hsip.

              hsip agent restart
            """
    )

    @Flag(name: .customLong("store-added"), help: "Save keys from ssh-add in the vault, not only in memory.")
    var storesAdded = false

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent restart")
        try context.find(try context.place())
        try await AgentEnding.end(context)
        // If systemd has the sockets, it starts the agent with the next connection.
        let (agent, _) = try context.startedAgent(storesAdded: storesAdded)
        let sheet = try await AgentSheet(agent, context)
        context.output.note("the agent is running again, and is locked")
        try context.output.succeed(["agent": sheet.json])
    }
}

/// Ends an agent.
enum AgentEnding {
    /// The seconds for running requests, and for the process to end.
    private static let seconds = 10

    /// Ends the agent, and waits until its process has ended; returns whether an agent was running.
    ///
    /// An agent with another protocol, or without a response, gets a signal that ends it.
    @discardableResult
    static func end(_ context: Context) async throws -> Bool {
        do {
            return try await ask(context)
        } catch AgentError.refused(.otherVersion), AgentError.refused(.brokenProtocol) {
            return try signal(context)
        } catch AgentError.lost {
            return try signal(context)
        }
    }

    private static func ask(_ context: Context) async throws -> Bool {
        guard let agent = try context.connectToAgent() else { return false }
        let process = try await agent.status().pid
        let watch = hsip_process_open(process)
        defer { if watch >= 0 { close(watch) } }
        _ = try await agent.request(.stop)
        context.agent = nil
        guard watch >= 0 else { return true }
        var request = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, Int32(seconds * 1_000)) == 1 else { throw AgentError.lost(.timeout) }
        return true
    }

    private static func signal(_ context: Context) throws -> Bool {
        let path = try context.agentPaths().control
        let process: AgentProcess
        do throws(AgentError) {
            process = try AgentProcess(serving: path)
        } catch .noAgent {
            return false
        }
        guard process.isAgent else {
            let name = context.output.display.cell(process.name)
            let isManager = process.name == "systemd"
            throw failure(
                "process \(process.pid) (\(name)) holds the agent's socket, but is not an agent",
                isManager ? "systemctl --user restart hsip-agent.service" : "kill \(process.pid)"
            )
        }
        guard process.end(within: seconds) else {
            throw failure("the agent (process \(process.pid)) does not stop", "kill -9 \(process.pid)")
        }
        context.agent = nil
        return true
    }

    private static func failure(_ message: String, _ hint: String) -> Failure {
        Failure(.agentNotStopped, message, hint: hint)
    }
}
