internal import ArgumentParser

/// `hsip ssh`: keys and hosts for the ssh that people already have.
struct SSHGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Keys and hosts for ssh and git, kept in the vault.",
        discussion: """
            ssh and git do not take private keys from the vault by themselves yet: hand a key to ssh's agent \
            before it logs in or signs.

              hsip ssh key export work --stdout --no-passphrase --expect work | ssh-add -
            """,
        subcommands: [
            SSHKeyGroup.self, SSHHostGroup.self, SSHConfig.self, SSHSigningKey.self, SSHSigners.self,
            SSHKnownHosts.self,
        ]
    )
}
