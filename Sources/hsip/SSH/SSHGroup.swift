internal import ArgumentParser

/// `hsip ssh`: keys and hosts for the ssh that people already have.
struct SSHGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Keys and hosts for ssh and git, kept in the vault.",
        discussion: """
            Private keys stay in the vault; ssh and git use them through its agent, once the vault is unlocked.

              hsip unlock
              eval "$(hsip agent env)"
            """,
        subcommands: [
            SSHKeyGroup.self, SSHHostGroup.self, SSHConfig.self, SSHSigningKey.self, SSHSigners.self,
            SSHKnownHosts.self,
        ]
    )
}
