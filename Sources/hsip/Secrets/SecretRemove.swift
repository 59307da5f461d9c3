internal import ArgumentParser
internal import Console
internal import SafeText
internal import VaultKit

/// `hsip secret rm NAME…`.
struct SecretRemove: Command {
    static let path = "secret rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Put secrets into the trash, which keeps them for 30 days.",
        discussion: """
            Of several, none is removed if one of the names is unknown.

              hsip secret rm db/prod
              hsip secret rm db/prod db/staging
            """
    )

    @Argument(help: "The secrets.", completion: .secrets)
    var names: [String]

    func run(_ context: Context) async throws {
        guard names.count == 1 || !context.isJSON else {
            throw Failure.usage("--json takes one secret at a time")
        }
        let vault = try await context.openVault()
        let known = SecretNames(context, vault)
        if names.count > 1 {
            for name in names {
                _ = try await known.using(name, exactly: true) { try await vault.credential($0) }
            }
        }
        for name in names {
            let secret = try await known.using(name, exactly: true) { try await vault.removeCredential($0) }
            let shown = context.output.display.cell(secret.name)
            context.output.say(
                "\(shown) is in the trash: hsip secret restore \(ShellWord.quoted(secret.name))"
            )
            if names.count == 1 { try context.output.succeed(.secret(secret, now: context.now)) }
        }
    }
}
