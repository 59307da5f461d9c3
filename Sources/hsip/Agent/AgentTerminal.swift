internal import AgentProtocol
internal import ArgumentParser
internal import Console
internal import FileStore
internal import VaultCrypto
internal import VaultLifecycle

/// Moves the agent's own questions to this terminal.
struct AgentTerminal: Command {
    static let path = "agent terminal"
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Have the agent ask here from now on, about ssh for instance.",
        discussion: """
            Where there is no display, the agent asks at the terminal where the vault was unlocked. This \
            moves its questions to where you are now: to this display, or without one to this terminal. \
            The passphrase proves that it is you; other programs cannot answer in your place. After you \
            have logged in again, when questions reach no terminal, the login is enough while the vault is \
            open.

              hsip agent terminal
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent terminal")
        let found = try context.find(try context.place())
        if case .file(let glance) = found { glance.letGo() }
        let (agent, _) = try context.startedAgent()
        if found.backend == .secretService, agent.agent.isLocked != false {
            throw AgentError.refused(.nothingToShow)
        }
        let given = try context.namedSecret()
        try await context.ask(agent) { agent in
            try await agent.request(.terminal, secrets: given.map { [$0] } ?? [])
        }
        let sheet = AgentSheet(status: try await agent.status(), now: context.now)
        context.output.note("the agent asks \(sheet.questions(context).shown)")
        try context.output.succeed(["agent": sheet.json])
    }
}
