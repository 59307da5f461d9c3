internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import RecordStore
internal import System
internal import VaultKit

/// `hsip accept`: accepts the code of a contact, or of another machine.
struct Accept: Command {
    static let path = "accept"
    static let configuration = CommandConfiguration(
        abstract: "Accept the code of a contact or of another machine.",
        discussion: """
            The code, or a contact's secret, is in a chat, mail, link, picture or message. \
            For a log in etcd, add the login options of hsip setup sync etcd.

              wl-paste | hsip accept
            """
    )

    @Argument(help: "A code, a file, a picture, or - for stdin.", completion: .file())
    var code: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Your name for the contact or the secret.", valueName: "name")
    )
    var name: String?

    @Option(help: ArgumentHelp("Refuse a code that is not from this contact.", valueName: "name"))
    var contact: String?

    @Option(
        help: ArgumentHelp(
            "A clicked link: read only codes and ask even with -y.",
            valueName: "link"
        )
    )
    var link: String?

    @Flag(help: "Read the code with the camera.")
    var camera = false

    @Flag(help: "Read the code from the clipboard.")
    var paste = false

    @Flag(name: .customLong("in-person"), help: "You read the code from the contact's own screen.")
    var isInPerson = false

    @Option(
        help: ArgumentHelp("The digits that the other machine shows with its code.", valueName: "digits")
    )
    var expect: String?

    @Flag(name: .customLong("reader"), help: "Let the machine of a JOIN code only read.")
    var isReader = false

    @OptionGroup(visibility: .hidden)
    var login: EtcdLoginOptions

    @OptionGroup(title: "Where the reply goes")
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
            if let code = try MachineAcceptance.theOne(in: text.bytes) {
                return try await accept(code, context, vault, delivery)
            }
            guard expect == nil, !isReader, !login.isGiven else {
                throw Failure.usage(
                    "--expect, --reader, --user and --ca work only with the code of another machine"
                )
            }
            if let gift = try GiftReceiver.theOne(in: text.bytes) {
                guard !isInPerson else {
                    throw Failure.usage("--in-person works with a code, and this is a secret")
                }
                // If the text has a secret, other text and damaged codes in it are ignored.
                guard (try? await vault(Operations.codesIn, text.bytes))?.isEmpty ?? true else {
                    throw Failure(
                        .severalCodes,
                        "the text has a code and a secret; pass one at a time"
                    )
                }
                let taker = GiftReceiver(
                    context: context,
                    vault: vault,
                    name: name,
                    from: contact,
                    replacesChanged: false
                )
                return try context.output.succeed(.receivedGift(try await taker.take(gift)))
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

    private func accept(
        _ code: MachineCode,
        _ context: Context,
        _ vault: any VaultService,
        _ delivery: CodeDelivery
    ) async throws {
        guard name == nil, contact == nil, !isInPerson else {
            throw Failure.usage("--as, --contact and --in-person work only with the code of a contact")
        }
        try await MachineAcceptance(
            context: context,
            vault: vault,
            delivery: delivery,
            expected: expect,
            isReader: isReader,
            login: login
        ).accept(code)
    }

    /// Refuses a link without a terminal: any web page can offer such a link, so the user must decide.
    private func checkLink(_ context: Context) throws {
        guard code == nil, !camera, !paste, !isInPerson else {
            throw Failure.usage("--link does not work with other input")
        }
        guard context.terminal.isAvailable else { throw ConsoleError.inputNeeded(flag: nil) }
    }
}
