internal import ArgumentParser
internal import Console
internal import SafeText
internal import VaultKit

/// `hsip secret restore NAME`.
struct SecretRestore: Command {
    static let path = "secret restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a secret from the trash.",
        discussion: """
              hsip secret restore db/prod
            """
    )

    @Argument(help: "The secret.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let secret = try await SecretNames(context, vault).using(name, inTrash: true) {
            try await vault.restoreCredential($0)
        }
        context.output.say("\(context.output.display.cell(secret.name)) is back.")
        try context.output.succeed(.secret(secret, now: context.now))
    }
}
