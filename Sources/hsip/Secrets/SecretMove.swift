internal import ArgumentParser
internal import Console
internal import RecordStore
internal import SafeText
internal import VaultKit

/// `hsip secret mv NAME NEW`.
struct SecretMove: Command {
    static let path = "secret mv"
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Give a secret another name.",
        discussion: """
            Rules of the agent that name it follow it. What names it elsewhere, such as a template, is not changed.

              hsip secret mv db/prod db/production
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Argument(help: "Its new name.")
    var other: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let rules = await RuleNames(vault)
        let secret = try await SecretNames(context, vault).using(name, exactly: true) { known in
            try await vault.moveCredential(known, to: other)
        }
        context.output.say("It is \(context.output.display.cell(secret.name)) now.")
        await rules.tell(NameRules.normalized(name), secret.name, context)
        try context.output.succeed(.secret(secret, now: context.now))
    }
}
