internal import ArgumentParser
internal import Console
internal import SafeText
internal import VaultKit

/// `hsip secret rm NAME`.
struct SecretRemove: Command {
    static let path = "secret rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Put a secret into the trash, which keeps it for 30 days.",
        discussion: """
              hsip secret rm db/prod
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let secret = try await SecretNames(context, vault).using(name, exactly: true) {
            try await vault.removeCredential($0)
        }
        let shown = context.output.display.cell(secret.name)
        context.output.say("\(shown) is in the trash: hsip secret restore \(ShellWord.quoted(secret.name))")
        try context.output.succeed(.secret(secret, now: context.now))
    }
}
