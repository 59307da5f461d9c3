internal import ArgumentParser

/// `hsip ssh`: keys and hosts for the ssh that people already have.
struct SSHGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Keys for ssh and git, kept in the vault.",
        subcommands: [SSHKeyGroup.self, SSHSigningKey.self, SSHSigners.self]
    )
}
