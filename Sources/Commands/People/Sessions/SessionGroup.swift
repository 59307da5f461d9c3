internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// `hsip session`: the keys that you share with people.
struct SessionGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Manage your sessions with contacts: list, renew, end.",
        subcommands: [
            SessionList.self, SessionShow.self, SessionRotate.self, SessionRevoke.self, SessionImport.self,
            SessionExport.self,
        ]
    )
}

/// `hsip session export NAME`.
struct SessionExport: Command {
    static let path = "session export"
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export an imported key for an old program.",
        discussion: """
            A paired session is never exported. After the export both programs count messages separately, \
            and the counter here is no longer reliable.

              hsip session export bob -o key
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @OptionGroup
    var file: NewFileOptions

    func run(_ context: Context) async throws {
        guard file.path != nil || !context.isJSON else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
        try file.check()
        let vault = try await context.openVault()
        let names = ContactNames(context, vault)
        let (key, alias) = try await names.using(name) { try await vault(Operations.exportKey, $0) }
        let line = try Self.line(key)
        try file.write(line, context)
        context.output.tell([.counterUnreliable], about: alias)
        // Only the file has the key itself, not the JSON.
        try context.output.succeed([
            "contact": .text(alias),
            "peerId": .text(try await vault(Operations.contact, alias).contact.peerID.text),
            "encoding": "base64", "outputFile": .text(try AbsolutePath.of(file.path ?? "")),
            "counterUnreliable": true,
        ])
    }

    /// The key in base64 with a line feed, in locked memory; the JSON writer makes it, with quotes that are removed.
    private static func line(_ key: Secret) throws -> SecretBytes {
        let quoted = try JSONWriter.bytes(.secretBase64(key))
        return try SecretBytes.joined(try quoted.slice(1..<quoted.count - 1), [0x0A])
    }
}

/// `hsip session rotate NAME`.
struct SessionRotate: Command {
    static let path = "session rotate"
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Renew the keys with a contact, without a new offer.",
        discussion: """
            hsip pair NAME does the same, and also pairs again if the keys are gone.

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
        let (reply, alias) = try await names.using(name) { try await vault(Operations.rotate, $0, request) }
        guard let code = reply.code else { throw VaultError.hsip(.noSession) }
        let json = try delivery.hand(code, to: alias, isCached: reply.isCached)
        context.output.tell(reply.notices, about: alias)
        try context.output.succeed(json)
    }
}

/// `hsip session list`.
struct SessionList: Command {
    static let path = "session list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List your sessions, with messages left and expiry.",
        discussion: """
              hsip session list
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let contacts = try await vault(Operations.contacts, .kept).filter { $0.sessionState != nil }
        let display = context.output.display
        var table = Table([
            Column("contact"), Column("state", .left, .whole), Column("sent", .right, .whole),
            Column("read", .right, .whole, spare: 2), Column("ends", .left, .whole, spare: 1),
            Column("PQ", .left, .whole), Column("verified", .left, .wrapped),
        ])
        let none = Cell("-", value: "")
        for summary in contacts {
            guard let state = summary.sessionState else { continue }
            let session = summary.sending ?? summary.sessions.first
            let end = session?.endsAt ?? summary.contact.ended?.at
            table.add([
                Cell(own: summary.alias, display), StateCell.cell(state),
                session.map { Cell("\($0.sent)/\($0.limit)") } ?? none,
                session.map { Cell("\($0.received)") } ?? none,
                end.map { Cell(relative: $0, now: context.now) } ?? none,
                session?.suite.map { SuiteCell.cell($0) } ?? none, TrustCell.cell(summary.contact),
            ])
        }
        try context.list(table, empty: "no sessions yet: hsip pair  begins one")
        try await context.tellDamagedIdentity(vault)
        if context.console.outputIsTerminal { tellNext(contacts, context) }
        try await context.endShort(vault, of: ["hsip.contact", "hsip.pairing"])
        try context.output.succeed(.sessions(contacts))
    }

    /// Prints the command that helps the most urgent session.
    private func tellNext(_ contacts: [ContactSummary], _ context: Context) {
        let urgent: [SessionSummary.State] = [
            .exhausted, .restored, .expired, .lapsed, .rekeySoon, .unconfirmed,
        ]
        for state in urgent {
            guard let first = contacts.first(where: { $0.sessionState == state }) else { continue }
            let name = ShellWord.quoted(first.alias)
            let what =
                state == .unconfirmed
                ? "shows your answer again"
                : "shows the code for the next \(first.sending?.limit ?? 1000) messages"
            return context.output.hint("hsip pair \(name)  \(what)")
        }
    }
}
