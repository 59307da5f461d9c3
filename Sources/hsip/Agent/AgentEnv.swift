internal import AgentProtocol
internal import ArgumentParser
internal import Console
internal import VaultLifecycle

/// The variable by which ssh finds the agent.
struct AgentEnv: Command {
    static let path = "agent env"
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print what a shell needs so that ssh and git find the agent.",
        discussion: """
            ssh itself needs it only where hsip setup ssh was not used; ssh-add and git always do.

              eval "$(hsip agent env)"
              hsip agent env --shell fish | source
            """
    )

    /// How a shell sets a variable.
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
