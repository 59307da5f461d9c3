internal import ArgumentParser
internal import Presentation
internal import RecordStore
internal import Secrets
internal import Text
internal import VaultKit

/// `hsip secret mv NAME NEW`.
struct SecretMove: Command {
    static let path = "secret mv"
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Rename a secret.",
        discussion: """
            Agent rules that name the secret follow the new name. Other places that name it, such as \
            templates, do not.

              hsip secret mv db/prod db/production
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Argument(help: "The secret's new name.")
    var other: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let rules = await RuleNames(vault)
        let secret = try await SecretNames(context, vault).using(name, exactly: true) { known in
            try await vault(Operations.moveCredential, known, other)
        }
        context.output.say("Renamed to \(context.output.display.cell(secret.name)).")
        await rules.tell(NameRules.normalized(name), secret.name, context)
        try context.output.succeed(.secret(secret, now: context.now))
    }
}

/// `hsip secret rm NAME…`.
struct SecretRemove: Command {
    static let path = "secret rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Move secrets to the trash for 30 days.",
        discussion: """
            If one of the names is unknown, hsip removes none.

              hsip secret rm db/prod
              hsip secret rm db/prod db/staging
            """
    )

    @Argument(help: "The secrets.", completion: .secrets)
    var names: [String]

    func run(_ context: Context) async throws {
        guard names.count == 1 || !context.isJSON else {
            throw Failure.usage("with --json, name one secret")
        }
        let vault = try await context.openVault()
        let known = SecretNames(context, vault)
        if names.count > 1 {
            for name in names {
                _ = try await known.using(name, exactly: true) {
                    try await vault(Operations.credential, $0, .kept)
                }
            }
        }
        for name in names {
            let secret = try await known.using(name, exactly: true) {
                try await vault(Operations.removeCredential, $0, .any)
            }
            let shown = context.output.display.cell(secret.name)
            context.output.say(
                "\(shown) is in the trash: hsip secret restore \(ShellWord.quoted(secret.name))"
            )
            await context.tellGiven(removed: secret.name, vault)
            if names.count == 1 { try context.output.succeed(.secret(secret, now: context.now)) }
        }
    }
}

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
        let (secret, isThere) = try await SecretNames(context, vault).using(name, inTrash: true) { name in
            let isThere = (try? await vault(Operations.credential, name, .kept)) != nil
            return (try await vault(Operations.restoreCredential, name), isThere)
        }
        let shown = context.output.display.cell(secret.name)
        context.output.say(isThere ? "\(shown) is not in the trash." : "\(shown) is back.")
        try context.output.succeed(.secret(secret, now: context.now))
    }
}
