internal import ArgumentParser
internal import Console
internal import RecordStore
internal import VaultKit

/// `hsip ssh key restore NAME`.
struct SSHKeyRestore: Command {
    static let path = "ssh key restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a key from the trash.",
        discussion: """
              hsip ssh key restore work
            """
    )

    @Argument(help: "The key, by name or fingerprint.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let wanted = NameRules.normalized(name)
        let isThere = try await vault.sshKeys().contains { $0.name == wanted }
        let known = isThere ? wanted : try await KeyNames(context, vault).resolve(name, inTrash: true).name
        let key = try await vault.restoreSSHKey(known)
        try context.publish([key])
        try await context.publishCertificates(of: [key], from: vault)
        await context.refreshSSHSettings(vault)
        if !isThere { context.output.say("\(key.name) is back.") }
        try context.output.succeed(try .sshKey(key, context))
    }
}
