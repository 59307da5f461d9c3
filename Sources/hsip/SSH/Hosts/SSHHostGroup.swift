internal import ArgumentParser

/// `hsip ssh host`: the machines, and who they are.
struct SSHHostGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "The hosts: how to reach them, and the keys they are known by.",
        discussion: """
            A host is the name of a profile, or HOST[:PORT] for one without a profile.

              hsip ssh host add db1 --address db1.example.org --user deploy --key work
              hsip ssh host trust db1
              hsip ssh host import ~/.ssh/known_hosts
            """,
        subcommands: [
            SSHHostList.self, SSHHostShow.self, SSHHostAdd.self, SSHHostSet.self, SSHHostTrust.self,
            SSHHostReplace.self, SSHHostRevoke.self, SSHHostRemove.self, SSHHostRestore.self,
            SSHHostImport.self, SSHHostExport.self, SSHHostProbe.self, SSHHostDefault.self,
        ]
    )
}
