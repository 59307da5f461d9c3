package import ArgumentParser
internal import Presentation
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip secret withdraw NAME --from CONTACT`.
package struct SecretWithdraw: Command {
    package static let path = "secret withdraw"
    package static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Ask a contact to remove a secret that you sent.",
        discussion: """
            The contact's program moves an unchanged copy to the trash. The contact may have read or \
            copied the secret. To cut off access, change the password.

              hsip secret withdraw db/prod --from bob
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("The contact that has the secret.", valueName: "contact"),
        completion: .contacts
    )
    var contact: String

    @OptionGroup var target: NewFileOptions

    package init() {}

    package func run(_ context: Context) async throws {
        try target.check()
        let vault = try await context.openVault()
        let (sent, alias) = try await ContactNames(context, vault).using(contact) {
            try await vault(Operations.withdrawGift, name, $0)
        }
        let file = try GiftDelivery(context: context, target: target).deliver(sent)
        let (who, what) = (context.output.display.cell(alias), ShellWord.quoted(sent.secret))
        let mend =
            Sharing(label: sent.secret) != nil
            ? "To make the share useless, make new shares: hsip vault shares make"
            : "To cut off access, change the password: hsip secret generate \(what)"
        context.output.say(
            "The program of \(who) puts it into the trash; \(who) may have read or copied it. " + mend
        )
        try context.output.succeed(.sentGift(sent, file: file))
    }
}
