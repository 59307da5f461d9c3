internal import ArgumentParser
internal import Console
internal import VaultKit

/// `hsip ssh key rm NAME`.
struct SSHKeyRemove: Command {
    static let path = "ssh key rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Put a key into the trash, which keeps it for 30 days.",
        discussion: """
              hsip ssh key rm work
            """
    )

    @Argument(help: "The key, by name or fingerprint.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let known = try await KeyNames(context, vault).resolve(name, exactly: true)
        let key = try await vault.removeSSHKey(known.name)
        try context.publish([], gone: [key.name])
        await context.refreshSSHSettings(vault)
        context.output.say("\(key.name) is in the trash: hsip ssh key restore \(ShellWord.quoted(key.name))")
        try context.output.succeed(try .sshKey(key, context))
    }
}
