internal import ArgumentParser
internal import CommandKit
internal import Console
internal import HSIP
internal import Programs
internal import RecordStore
internal import VaultKit

/// `hsip accept`: takes a peer's code.
struct Accept: Command {
    static let path = "accept"
    static let configuration = CommandConfiguration(
        abstract: "Take their code, of any kind, and show mine if one is due.",
        discussion: """
            The code may stand in a chat, a mail, a link, a picture, or inside an HSIP message; words around it do \
            not matter. A secret that a contact sent is taken, too; --as says what to call it here.

              wl-paste | hsip accept
              hsip accept screenshot.png
              hsip accept --as bob < offer.txt > answer.txt
            """
    )

    @Argument(help: "A code, the name of a file or picture, or - for stdin.", completion: .file())
    var code: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("What to call them.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("It must come from this contact.", valueName: "name"))
    var contact: String?

    @Option(
        help: ArgumentHelp(
            "A link that was clicked: it carries codes and nothing else, and --yes does not answer for you.",
            valueName: "link"
        )
    )
    var link: String?

    @Flag(help: "Read it with the camera.")
    var camera = false

    @Flag(help: "Read it from the clipboard.")
    var paste = false

    @Flag(name: .customLong("in-person"), help: "I read it from their own screen.")
    var isInPerson = false

    @OptionGroup(title: "Where my reply goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let intake = CodeIntake(context: context)
        if link != nil { try checkLink(context) }
        let vault = try await context.openVault()
        let found: CodeIntake.Found
        if let link {
            found = try await context.explaining(vault) { try await intake.codes(inLink: link, vault) }
        } else {
            let text = try intake.read(code, fromCamera: camera, fromClipboard: paste)
            if let gift = try GiftTaker.theOne(in: text.bytes) {
                guard !isInPerson else {
                    throw Failure.usage("--in-person works with a code, and this is a secret")
                }
                // What is no code, or a damaged one, does not matter beside a secret.
                guard (try? await vault.codes(in: text.bytes))?.isEmpty ?? true else {
                    throw Failure(
                        .severalCodes,
                        "the text has a code and a secret; pass one at a time"
                    )
                }
                let taker = GiftTaker(
                    context: context,
                    vault: vault,
                    name: name,
                    from: contact,
                    replacesChanged: false
                )
                return try context.output.succeed(.takenGift(try await taker.take(gift)))
            }
            found = try await context.explaining(vault) { try await intake.codes(in: text, vault) }
        }
        if let name, !Alias.isValid(NameRules.normalized(name)) {
            throw Failure(.malformed, "--as needs 1 to 64 bytes, no leading dash and no invisible characters")
        }
        var acceptance = Acceptance(context, vault)
        acceptance.name = name
        acceptance.isInPerson = isInPerson
        acceptance.isAsked = link != nil
        if let contact {
            acceptance.contact = try await ContactNames(context, vault).resolve(contact).alias
        }
        let taken = try await acceptance.take(found)
        let report = AcceptanceReport(context: context, delivery: delivery)
        try context.output.succeed(try report.tell(taken))
    }

    /// Any web page can offer such a link: so the user decides, at a terminal.
    private func checkLink(_ context: Context) throws {
        guard code == nil, !camera, !paste, !isInPerson else {
            throw Failure.usage("--link does not work with other input")
        }
        guard context.terminal.isAvailable else { throw ConsoleError.inputNeeded(flag: nil) }
    }
}
