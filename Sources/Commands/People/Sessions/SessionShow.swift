internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

/// `hsip session show NAME`.
struct SessionShow: Command {
    static let path = "session show"
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show every pairing with a contact, with exact times.",
        discussion: """
              hsip session show bob
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let summary = try await ContactNames(context, vault).resolve(name)
        guard summary.sessionState != nil else {
            throw await context.explain(.hsip(.noSession), vault, about: summary.alias)
        }
        for (index, session) in summary.sessions.enumerated() {
            if index > 0, context.console.outputIsTerminal { try context.output.line("") }
            try context.output.facts(sheet(session, summary, context))
        }
        for (index, ended) in summary.ended.enumerated() {
            if index > 0 || !summary.sessions.isEmpty, context.console.outputIsTerminal {
                try context.output.line("")
            }
            try context.output.facts(sheet(ended, summary, context))
        }
        if summary.contact.trust == .suspicious { context.output.tell([.suspicious], about: summary.alias) }
        try context.output.succeed(.session(summary))
    }

    private func sheet(_ session: SessionSummary, _ summary: ContactSummary, _ context: Context) -> FactSheet
    {
        var sheet = FactSheet()
        sheet.add("Contact", Cell(own: summary.alias, context.output.display))
        sheet.add("State", StateCell.cell(session.state))
        sheet.add("Sends", session.isSending ? "yes" : session.isMuted ? "no, it was replaced" : "no")
        let role = session.role == .offerer ? "offered" : "answered"
        sheet.add("Made", Cell(session.isLegacy ? "imported" : role))
        sheet.add("Epoch", "\(session.epoch)")
        if let suite = session.suite { sheet.add("Post-quantum", SuiteCell.cell(suite)) }
        sheet.add("Sent", "\(session.sent)/\(session.limit)")
        sheet.add("Read", "\(session.received)")
        if let answered = session.answeredAt { sheet.add("Since", Cell(exactly: answered)) }
        sheet.add("Ends", Cell(exactly: session.endsAt))
        if session.renewal != .none {
            let words =
                session.renewal == .started ? "your ROTATE waits for its reply" : "prepared, not in use yet"
            sheet.add("Renewal", Cell(words, value: session.renewal.rawValue))
        }
        if session.previousEpochs > 0 { sheet.add("Older keys", "\(session.previousEpochs) still read") }
        if !session.isConfirmed { sheet.add("Confirmed", "no: nothing of theirs has arrived") }
        if session.isCounterUnreliable {
            sheet.add("Counter", "another program may use this key, too")
        }
        return sheet
    }

    private func sheet(_ ended: EndedSession, _ summary: ContactSummary, _ context: Context) -> FactSheet {
        var sheet = FactSheet()
        sheet.add("Contact", Cell(own: summary.alias, context.output.display))
        sheet.add("State", StateCell.cell(.revoked))
        sheet.add(
            "Ended by",
            Cell(ended.end.byPeer ? "them" : "you", value: ended.end.byPeer ? "peer" : "me")
        )
        sheet.add("Ended", Cell(exactly: ended.end.at))
        let words = ended.end.reason.phrase ?? "no reason given"
        sheet.add("Reason", Cell(words, value: ended.end.reason.word))
        return sheet
    }
}
