internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import Text
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// `hsip agent`: the program that keeps a vault open.
struct AgentGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Manage the agent, which keeps the vault open.",
        subcommands: [
            AgentStatusCommand.self, AgentStart.self, AgentStop.self, AgentRestart.self, AgentTerminal.self,
            AgentEnv.self, AgentRequestsGroup.self, AgentBlocked.self, RuleGroup.self,
        ]
    )
}

/// `hsip agent env`: the variable by which ssh finds the agent.
struct AgentEnv: Command {
    static let path = "agent env"
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the variables with which ssh and git find the agent.",
        discussion: """
            ssh needs the variables only without hsip setup ssh; ssh-add and git always need them.

              eval "$(hsip agent env)"
              hsip agent env --shell fish | source
            """
    )

    /// The shells, which set a variable in different ways.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case sh, bash, zsh, fish, csh
    }

    @Option(help: "sh, bash, zsh, fish or csh.")
    var shell = Shell.sh

    func run(_ context: Context) async throws {
        let socket = try context.agentPaths().ssh
        let quoted = ShellWord.quoted(socket)
        let line =
            switch shell {
            case .sh, .bash, .zsh: "SSH_AUTH_SOCK=\(quoted); export SSH_AUTH_SOCK;"
            case .fish: "set -gx SSH_AUTH_SOCK \(quoted);"
            case .csh: "setenv SSH_AUTH_SOCK \(quoted);"
            }
        try context.output.line(line)
        if !Path.exists(socket) { context.output.note("no agent is running yet: hsip unlock starts it") }
        try context.output.succeed(["sshSocket": .text(socket), "shell": .text(shell.rawValue)])
    }
}

/// `hsip agent start`.
struct AgentStart: Command {
    static let path = "agent start"
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start the agent, locked, if systemd does not start it.",
        discussion: """
            After hsip setup systemd the agent starts when a program needs it.

              hsip agent start
              hsip agent start --store-added
              eval "$(hsip agent env)"
            """
    )

    @Flag(
        name: .customLong("store-added"),
        help: "Save keys from ssh-add in the vault, not only in memory."
    )
    var storesAdded = false

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent start")
        try context.find(try context.place())
        let (agent, isNew) = try context.startedAgent(storesAdded: storesAdded)
        let sheet = try await AgentSheet(agent, context)
        context.output.note(isNew ? "the agent is running" : "the agent is already running")
        if storesAdded, !isNew { context.output.hint("hsip agent restart --store-added") }
        try context.output.succeed(["agent": sheet.json, "started": .bool(isNew)])
    }
}

/// `hsip agent status`.
struct AgentStatusCommand: Command {
    static let path = "agent status"
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show if the agent has the vault open, and until when.",
        discussion: """
            The question does not count as use and changes nothing.

              hsip agent status
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent status")
        let agent = try context.runningAgent()
        let sheet = try await AgentSheet(agent, context)
        try context.output.facts(sheet.sheet(context))
        for text in sheet.status.warnings {
            context.output.warn(Warning("agentWarning", context.output.display.text(text)))
        }
        if !sheet.status.isLocked { try await context.warnOfAudit(CarriedService(agent)) }
        try context.output.succeed(["agent": sheet.json])
    }
}

/// `hsip agent terminal`: moves the agent's own prompts to this terminal.
struct AgentTerminal: Command {
    static let path = "agent terminal"
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Move the agent's questions to this terminal or display.",
        discussion: """
            Without a display, the agent asks at the terminal where the vault was unlocked. This command \
            moves its questions to your present display, or without one to this terminal. The passphrase \
            proves that it is you; other programs cannot answer for you. If your questions reach no \
            terminal after a new login, the login is enough while the vault is open.

              hsip agent terminal
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent terminal")
        let found = try context.find(try context.place())
        if case .file(let overview) = found { overview.letGo() }
        let (agent, _) = try context.startedAgent()
        if found.backend == .secretService, agent.agent.isLocked != false {
            throw AgentError.refused(.nothingToShow)
        }
        let given = try context.namedSecret()
        try await context.ask(agent) { agent in
            try await agent.request(.terminal, secrets: given.map { [$0] } ?? [])
        }
        let sheet = try await AgentSheet(agent, context)
        context.output.note("the agent asks \(sheet.questions(context).shown)")
        try context.output.succeed(["agent": sheet.json])
    }
}
