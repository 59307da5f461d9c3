internal import ArgumentParser
internal import Console
internal import HSIP
internal import VaultKit

/// `hsip session rotate NAME`.
struct SessionRotate: Command {
    static let path = "session rotate"
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Renew the keys with a contact: their next code, but never a new offer.",
        discussion: """
            hsip pair NAME does the same and also pairs anew where the keys are gone.

              hsip session rotate bob
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @OptionGroup(title: "The code")
    var offer: OfferOptions

    @OptionGroup(title: "Where it goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let request = try offer.request()
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let vault = try await context.openVault()
        let names = ContactNames(context, vault)
        let (reply, alias) = try await names.using(name) { try await vault.rotate($0, request) }
        guard let code = reply.code else { throw VaultError.hsip(.noSession) }
        let given = try delivery.deliver(code)
        defer { given.end() }
        context.output.say(CodeTexts(context).below(code, for: alias))
        context.output.tell(reply.notices, about: alias)
        try context.output.succeed(.code(code, contact: alias, isCached: reply.isCached, given))
    }
}
