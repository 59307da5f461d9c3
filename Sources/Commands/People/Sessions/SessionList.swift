internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

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

    /// The one command that helps the session that needs it most.
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
