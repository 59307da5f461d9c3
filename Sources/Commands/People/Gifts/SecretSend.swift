package import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip secret send NAME --to CONTACT`: seals a stored secret for the vault of a contact.
package struct SecretSend: Command {
    package static let path = "secret send"
    package static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a stored secret to a contact's vault.",
        discussion: """
            The contact accepts it with hsip accept. Neither side shows the values. If you send a \
            changed secret again, the contact gets a new version.

              hsip secret send db/prod --to bob --to carol
              hsip secret send db/prod --to bob --field password --expires 30d
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The contact to send to; may be repeated.", valueName: "contact"),
        completion: .contacts
    )
    var contacts: [String]

    @Option(help: ArgumentHelp("A field to send; may be repeated.", valueName: "name"), completion: .fields)
    var field: [String] = []

    @Flag(name: .customLong("with-totp"), help: "Also send the key of one-time passwords.")
    var includesTOTP = false

    @Option(help: ArgumentHelp("When the shared secret expires: 30d, or a date.", valueName: "time"))
    var expires: String?

    @Option(help: ArgumentHelp("One line for the contact.", valueName: "text"))
    var note: String?

    @Flag(name: .customLong("unverified"), help: "Send it even if the contact is not verified.")
    var allowsUnverified = false

    @OptionGroup var target: NewFileOptions

    @Option(
        help: ArgumentHelp(
            "Draw a small secret as a QR code.",
            valueName: "format"
        )
    )
    var qr: QRFormat?

    package init() {}

    package func run(_ context: Context) async throws {
        guard contacts.count == 1 || !context.isJSON && target.path == nil else {
            throw Failure.usage("--json and -o work with one contact at a time")
        }
        guard qr == nil || !context.isJSON else { throw Failure.usage("--qr does not work with --json") }
        try target.check()
        let vault = try await context.openVault()
        let names = ContactNames(context, vault)
        var request = GiftRequest(name, to: "")
        request.fields = field
        request.includesTOTP = includesTOTP
        request.expires = try expires.map { try end($0, now: context.now) }
        request.note = note
        request.allowsUnverified = allowsUnverified
        let delivery = GiftDelivery(context: context, target: target, qr: qr)
        for contact in try await recipients(names, context) {
            let (sent, alias) = try await names.using(contact) { alias in
                var request = request
                request.contact = alias
                return try await vault(Operations.sendGift, request)
            }
            if contacts.count > 1 { context.output.say("For \(context.output.display.cell(alias)):") }
            if let wanted = request.expires, let end = sent.expires, end > wanted {
                context.output.note(
                    "it expires on \(Times.date(Int64(clamping: end))), no sooner: a clock was ahead when it was sent before"
                )
            }
            let file = try delivery.deliver(sent)
            if contacts.count == 1 { try context.output.succeed(.sentGift(sent, file: file)) }
        }
    }

    /// The recipients, each once; if a name is unknown, nobody gets the secret.
    private func recipients(_ names: ContactNames, _ context: Context) async throws -> [String] {
        guard contacts.count > 1 || allowsUnverified else { return contacts }
        var aliases: [String] = []
        var uncompared: [String] = []
        for contact in contacts {
            let found = try await names.resolve(contact, exactly: true)
            guard !aliases.contains(found.alias) else { continue }
            aliases.append(found.alias)
            if !found.contact.isCompared { uncompared.append(found.alias) }
        }
        if allowsUnverified { for alias in uncompared { try confirm(alias, context) } }
        return aliases
    }

    private func confirm(_ alias: String, _ context: Context) throws {
        let shown = context.output.display.cell(alias)
        let question =
            "You have not verified \(shown): someone in between may read the secret.\n"
            + "To send it anyway, type yes:"
        guard try context.terminal.typeIt(question, expected: "yes", flag: nil) else {
            throw ConsoleError.refused
        }
    }

    private func end(_ word: String, now: Int64) throws(Failure) -> UInt64 {
        if let span = Durations.parse(word), span > 0 {
            let (end, isOver) = now.addingReportingOverflow(span)
            if !isOver, end > 0 { return UInt64(end) }
        }
        if let time = Times.day(word) ?? Times.parse(word), time > now { return UInt64(time) }
        throw Failure.usage("--expires takes a duration (30d, 1y) or a later date (2027-03-01)")
    }
}
