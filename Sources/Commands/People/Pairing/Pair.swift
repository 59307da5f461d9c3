internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import VaultKit

/// `hsip pair`: shows my next code.
struct Pair: Command {
    static let path = "pair"
    static let configuration = CommandConfiguration(
        abstract: "Show a pairing code for someone new or for a contact.",
        discussion: """
              hsip pair; hsip pair bob       for someone new; for Bob's next 1000 messages
            """
    )

    @Argument(help: "The contact that the code is for.", completion: .contacts)
    var contact: String?

    @Flag(name: .customLong("offer"), help: "Make a new offer even if new keys would be enough.")
    var offersAnew = false

    @Flag(name: .customLong("close-all"), help: "Close every offer that waits for an answer.")
    var closesAll = false

    @OptionGroup(title: "The code")
    var offer: OfferOptions

    @OptionGroup(title: "Where it goes")
    var delivery: DeliveryOptions

    @Flag(name: .customLong("no-wait"), help: "Do not wait for the contact's answer.")
    var doesNotWait = false

    func run(_ context: Context) async throws {
        let request = try offer.request()
        var places = delivery.places
        places.mayBeInPerson = contact == nil && !offer.isInPerson
        let delivery = CodeDelivery(context, places)
        try delivery.check()
        guard !closesAll || (contact == nil && !offersAnew) else {
            throw Failure.usage("--close-all closes all offers and makes no code")
        }
        let vault = try await context.openVault()
        guard !closesAll else { return try await closeAll(context, vault) }
        let person: ContactSummary? =
            if let contact { try await ContactNames(context, vault).resolve(contact) } else { nil }
        let name = person?.alias
        let reply = try await context.explaining(vault, about: name) {
            try await make(request, for: name, vault)
        }
        context.hasChanged = true
        guard let code = reply.code else { throw VaultError.hsip(.noSession) }
        let waits = waits(for: code, context)
        let given = try delivery.deliver(code, waits: waits)
        defer { given.end() }
        let me = try await vault(Operations.identity).name
        context.output.say(CodeTexts(context).below(code, for: name, from: me))
        context.output.tell(reply.notices, about: name)
        if code.kind == .rotate, let person, person.sending?.isRestored == true {
            let word = ShellWord.quoted(person.alias)
            context.output.hint("hsip pair \(word)  once more makes an offer, if the new keys do not help")
        }
        if person?.contact.trust == .suspicious { context.output.tell([.suspicious], about: name) }
        try context.output.succeed(.code(code, contact: name, isCached: reply.isCached, given))
        if waits { try await takeAnswer(context, vault) }
    }

    private func make(_ request: OfferRequest, for name: String?, _ vault: any VaultService) async throws
        -> Reply
    {
        guard let name else { return try await vault(Operations.makeOffer, request, nil) }
        return offersAnew
            ? try await vault(Operations.makeOffer, request, name)
            : try await vault(Operations.nextCode, name, request)
    }

    private func closeAll(_ context: Context, _ vault: any VaultService) async throws {
        let count = try await vault(Operations.closeOffers)
        context.output.say("\(count) offer\(count == 1 ? "" : "s") closed.")
        try context.output.succeed(.closed(count))
    }

    /// Whether to wait for a reply: a person is at the terminal, and the code needs a reply.
    private func waits(for code: ExchangeCode, _ context: Context) -> Bool {
        guard !doesNotWait, !context.isJSON, context.console.outputIsTerminal,
            context.terminal.isAvailable
        else { return false }
        return code.kind == .offer || code.kind == .rotate
    }

    /// Accepts the contact's reply, as soon as it is pasted.
    ///
    /// A person who leaves loses nothing, because `accept` accepts the reply too.
    private func takeAnswer(_ context: Context, _ vault: any VaultService) async throws {
        let question = "Paste their answer, or Enter to do that later:"
        while let pasted = try context.terminal.askCode(question, flag: "--no-wait") {
            let intake = CodeIntake(context: context)
            do {
                let text = CodeIntake.Text(bytes: pasted, source: .text)
                let found = try await context.explaining(vault) { try await intake.codes(in: text, vault) }
                let taken = try await Acceptance(context, vault).take(found)
                let report = AcceptanceReport(context: context, delivery: CodeDelivery(context))
                _ = try report.tell(taken)
                return
            } catch let failure as Failure {
                // Reports a failed paste, and asks again.
                _ = context.output.fail(failure)
            }
        }
    }
}
