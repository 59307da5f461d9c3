internal import ArgumentParser
internal import Commands
internal import Presentation

/// The words a shell can complete.
///
/// Never unlocks anything, and neither do the scripts: they ask `hsip complete` for names.
struct CompletionCommand: Command {
    static let path = "completion"
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a script that completes hsip in your shell.",
        discussion: """
            While an agent has the vault open, the shell completes names of contacts, keys, hosts and \
            secrets, fields and references; otherwise hsip opens nothing. Names with characters that a \
            shell interprets are left out. After run, the shell offers programs and files.

              hsip completion bash > ~/.local/share/bash-completion/completions/hsip
              hsip completion fish > ~/.config/fish/completions/hsip.fish
            """
    )

    /// The shells there is a script for.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run(_ context: Context) async throws {
        let script =
            switch shell {
            case .bash: ShellScript.bash(Hsip.completionScript(for: .bash))
            case .zsh: ShellScript.zsh(Hsip.completionScript(for: .zsh))
            case .fish: ShellScript.fish(Hsip.completionScript(for: .fish))
            }
        try context.output.line(script)
        try context.output.succeed(["shell": .text(shell.rawValue), "script": .text(script)])
    }
}
