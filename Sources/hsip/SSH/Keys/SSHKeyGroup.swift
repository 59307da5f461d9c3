internal import ArgumentParser

/// `hsip ssh key`: the keys.
struct SSHKeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "The SSH keys: make, import, export, list, change, replace, remove and bring back.",
        subcommands: [
            SSHKeyList.self, SSHKeyShow.self, SSHKeyGenerate.self, SSHKeyImport.self, SSHKeyExport.self,
            SSHKeySet.self, SSHKeyRotate.self, SSHKeyRemove.self, SSHKeyRestore.self,
        ]
    )
}
