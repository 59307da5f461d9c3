internal import AgentProtocol
internal import ArgumentParser
internal import Console
internal import SafeText

/// How the agent stands.
struct AgentStatusCommand: Command {
    static let path = "agent status"
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the agent has the vault open, until when, and how it is protected.",
        discussion: """
            Asking does not count as use, and changes nothing.

              hsip agent status
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent status")
        let agent = try context.runningAgent()
        let sheet = AgentSheet(status: try await agent.status(), now: context.now)
        try context.output.facts(sheet.sheet(context))
        for text in sheet.status.warnings {
            context.output.warn(Warning("agentWarning", context.output.display.text(text)))
        }
        try context.output.succeed(["agent": sheet.json])
    }
}
