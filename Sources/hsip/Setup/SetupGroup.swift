internal import ArgumentParser

/// `hsip setup`: other programs brought together with the vault.
struct SetupGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Let other programs use the vault: show what changes, ask, write, and undo it.",
        subcommands: [
            SetupSSH.self, SetupGit.self, SetupDocker.self, SetupSystemd.self, SetupDesktop.self,
        ]
    )
}
