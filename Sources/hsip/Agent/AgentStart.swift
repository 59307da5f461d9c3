internal import AgentProtocol
internal import ArgumentParser
internal import Console
internal import VaultLifecycle

/// Starts the agent.
struct AgentStart: Command {
    static let path = "agent start"
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start the agent where systemd does not; it begins locked.",
        discussion: """
            With hsip setup systemd it starts by itself when a program asks for it.

              hsip agent start
              hsip agent start --store-added
              eval "$(hsip agent env)"
            """
    )

    @Flag(
        name: .customLong("store-added"),
        help: "Keys that ssh-add brings go into the vault, and not only into the agent's memory."
    )
    var storesAdded = false

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent start")
        try context.find(try context.place())
        let (agent, isNew) = try context.startedAgent(storesAdded: storesAdded)
        let sheet = AgentSheet(status: try await agent.status(), now: context.now)
        context.output.note(isNew ? "the agent is running" : "the agent is already running")
        if storesAdded, !isNew { context.output.hint("hsip agent restart --store-added") }
        try context.output.succeed(["agent": sheet.json, "started": .bool(isNew)])
    }
}
