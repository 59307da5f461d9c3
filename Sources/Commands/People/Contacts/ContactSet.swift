internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import RecordStore
internal import VaultKit

/// `hsip contact set NAME`.
struct ContactSet: Command {
    static let path = "contact set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a contact's name, note or need to be verified.",
        discussion: """
              hsip contact set bob --alias bobby
              hsip contact set bob --note "from the chess club"
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @Option(help: ArgumentHelp("Your name for the contact; the contact never sees it.", valueName: "name"))
    var alias: String?

    @Option(help: ArgumentHelp("Your note about the contact; an empty note removes it.", valueName: "text"))
    var note: String?

    @Flag(
        name: .customLong("require-verified"),
        inversion: .prefixedNo,
        help: "Send nothing until the contact is verified."
    )
    var requiresVerification: Bool?

    func run(_ context: Context) async throws {
        guard alias != nil || note != nil || requiresVerification != nil else {
            throw Failure.usage(
                "nothing to change",
                hint: "--alias, --note, --require-verified or --no-require-verified"
            )
        }
        let vault = try await context.openVault()
        let known = try await ContactNames(context, vault).resolve(name).alias
        let change = ContactChange(
            alias: try alias.map { try Self.composed($0, "--alias") },
            note: try note.map { try Self.composed($0, "--note") },
            requiresVerification: requiresVerification
        )
        let rules = await RuleNames(vault)
        let reply = try await context.explaining(vault, about: known, name: alias) {
            try await vault(Operations.setContact, known, change)
        }
        let now = try await vault(Operations.contact, reply.contact?.alias ?? known)
        context.output.tell(reply.notices, about: now.alias, now.contact.peerID)
        await rules.tell(known, now.contact.alias, context)
        try context.output.succeed(.contact(now))
    }

    /// The text in composed form, so that it is equal however the keyboard made it.
    private static func composed(_ text: String, _ option: String) throws(Failure) -> String {
        let composed = NameRules.normalized(text)
        let isGood =
            option == "--alias"
            ? Alias.isValid(composed)
            : composed.utf8.count <= Contact.longestNote && PeerName.isClean(composed)
        guard isGood else {
            throw Failure(.malformed, "\(option) is too long or has invisible characters")
        }
        return composed
    }
}
