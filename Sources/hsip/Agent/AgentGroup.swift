internal import ArgumentParser

/// `hsip agent`: the program that keeps a vault open.
struct AgentGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "The program that keeps the vault open for ssh and for other programs.",
        subcommands: [
            AgentStatusCommand.self, AgentStart.self, AgentStop.self, AgentRestart.self, AgentTerminal.self,
            AgentEnv.self, RuleGroup.self,
        ]
    )
}
