internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import RecordStore
internal import System
internal import VaultKit

/// `hsip contact set NAME`.
struct ContactSet: Command {
    static let path = "contact set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a contact's name, note, or what hsip asks of it.",
        discussion: """
            --suite 01 is for a contact whose program is too old for codes of suite 02, whose messages no \
            quantum computer reads. hsip asks first, at a terminal; no option answers that.

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

    @Option(
        help: ArgumentHelp("01: the contact's program is old. 02: it may be newer now.", valueName: "01|02"),
        transform: Suite.init(option:)
    )
    var suite: Suite?

    func run(_ context: Context) async throws {
        if let suite { return try await set(suite, context) }
        guard alias != nil || note != nil || requiresVerification != nil else {
            throw Failure.usage(
                "nothing to change",
                hint: "--alias, --note, --require-verified, --no-require-verified or --suite"
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

    /// Changes the suite, alone: it is a change of trust that a person must confirm.
    private func set(_ suite: Suite, _ context: Context) async throws {
        guard alias == nil, note == nil, requiresVerification == nil else {
            throw Failure.usage("--suite is changed alone")
        }
        let vault = try await context.openVault()
        let known = try await ContactNames(context, vault).resolve(name)
        if suite == .one, known.contact.suiteRule != .onlyOne {
            let shown = context.output.display.cell(known.alias)
            guard context.terminal.isAvailable else {
                throw Failure(.denied, "hsip accepts weaker keys only at a terminal, where a person is asked")
            }
            let question = context.question(
                "Did \(shown) say so, over a channel you trust?",
                after: [
                    "With suite 01 a quantum computer could one day read what you and \(shown) write.",
                    "Use it only if \(shown)'s program is too old for suite 02.",
                ]
            )
            guard try context.terminal.confirm(question, flag: nil) else { throw ConsoleError.refused }
        }
        let now = try await context.explaining(vault, about: known.alias) {
            let reply = try await vault(Operations.setSuite, known.alias, suite)
            if reply.notices.contains(.alreadyDone) { context.output.say("Nothing to change.") }
            return try await vault(Operations.contact, known.alias)
        }
        try context.output.succeed(.contact(now))
    }

    /// The text in composed form, so that equal texts of different keyboards are equal.
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
