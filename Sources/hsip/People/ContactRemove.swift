internal import ArgumentParser
internal import Console
internal import HSIP
internal import SafeText
internal import VaultKit

/// `hsip contact rm NAME`.
struct ContactRemove: Command {
    static let path = "contact rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Put a contact into the trash and end the sessions with them.",
        discussion: """
            Prints the notice that tells their program so. hsip contact restore, or pairing again, brings name, \
            trust and note back; never the sessions.

              hsip contact rm bob > notice.txt
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @OptionGroup(title: "Where the notice goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let vault = try await context.openVault()
        // What cannot be undone takes no half names.
        let before = try await ContactNames(context, vault).resolve(name, exactly: true)
        let alias = before.alias
        let offers = try await vault.openOffers().count { $0.contact == alias }
        let reply = try await context.explaining(vault, about: alias) {
            try await vault.removeContact(alias)
        }
        let notice = try EndNotice.deliver(reply.code, of: alias, context, delivery)
        let shown = context.output.display.cell(alias)
        context.output.say("\(shown) is in the trash: hsip contact restore \(ShellWord.quoted(alias))")
        let now = try await vault.contact(alias)
        try context.output.succeed(
            .removed(
                now,
                notice: notice,
                endedPairings: before.sessions.count,
                closedOffers: offers
            )
        )
    }
}
