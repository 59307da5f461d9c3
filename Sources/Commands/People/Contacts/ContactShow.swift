internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

/// `hsip contact show NAME`.
struct ContactShow: Command {
    static let path = "contact show"
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a contact's details, with exact times.",
        discussion: """
              hsip contact show bob
            """
    )

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let names = ContactNames(context, vault)
        let summary = try await names.resolve(name)
        try context.output.facts(Self.sheet(summary, context))
        if summary.contact.trust == .suspicious { context.output.tell([.suspicious], about: summary.alias) }
        try context.output.succeed(.contact(summary))
    }

    /// The facts about a contact.
    private static func sheet(_ summary: ContactSummary, _ context: Context) -> FactSheet {
        let contact = summary.contact
        let display = context.output.display
        var sheet = FactSheet()
        sheet.add("Contact", Cell(own: contact.alias, display))
        sheet.add("PeerID", contact.peerID.text)
        if !contact.sentName.isEmpty { sheet.add("Sent name", Cell(peer: contact.sentName, display)) }
        sheet.add("Verified", TrustCell.cell(contact))
        if let when = contact.verifiedAt, let how = contact.verification.name {
            sheet.add("Verified by", Cell(words(how), value: how), Cell(exactly: when))
        }
        if contact.requiresVerification { sheet.add("Demands", "verification before anything is sent") }
        if contact.suiteRule == .onlyOne {
            sheet.add("Program", Cell("old: codes of suite 01", value: "old"))
        }
        if !contact.note.isEmpty { sheet.add("Note", Cell(own: contact.note, display)) }
        if let created = summary.created { sheet.add("Known since", Cell(exactly: created)) }
        if let removed = contact.trashedAt { sheet.add("Removed", Cell(exactly: removed)) }
        if let state = summary.sessionState { sheet.add("Session", StateCell.cell(state)) }
        return sheet
    }

    private static func words(_ how: String) -> String { how == "safetyNumber" ? "safety number" : how }
}

/// The trust in a contact, as a word of a table.
enum TrustCell {
    /// `yes`, `scanned`, `no`, `SUSPICIOUS`, `revoked`; a note is added if the user paired again after a match, or has not
    /// compared since a restore.
    static func cell(_ contact: Contact) -> Cell {
        let value = contact.trust.name
        switch contact.trust {
        case .verified, .scanned, .unverified:
            guard contact.isUncompared else { break }
            return Cell("not compared since the restore", value: "notComparedSinceRestore", tone: .soon)
        case .suspicious, .revoked: break
        }
        switch contact.trust {
        case .verified:
            return contact.isRepaired
                ? Cell("re-paired, not re-verified", value: "rePaired", tone: .soon)
                : Cell("yes", value: value, tone: .good)
        case .scanned: return Cell("scanned", value: value)
        case .unverified: return Cell("no", value: value)
        case .suspicious: return Cell("SUSPICIOUS", value: value, tone: .danger)
        case .revoked: return Cell("revoked", value: value, tone: .past)
        }
    }
}

/// Whether a session protects against quantum computers, as a word of a table.
enum SuiteCell {
    static func cell(_ suite: Suite) -> Cell {
        suite == .two ? Cell("yes", tone: .good) : Cell("no", tone: .soon)
    }
}

/// The state of a session, as a word of a table.
enum StateCell {
    /// The word in its colour; scripts get the name.
    static func cell(_ state: SessionSummary.State) -> Cell {
        Cell(text(state), value: state.rawValue, tone: tone(state))
    }

    /// The state in words.
    static func text(_ state: SessionSummary.State) -> String {
        switch state {
        case .rekeySoon: "renew soon"
        case .grace: "renewed"
        default: state.rawValue
        }
    }

    private static func tone(_ state: SessionSummary.State) -> Tone {
        switch state {
        case .suspicious: .danger
        case .restored, .exhausted, .unconfirmed, .rotating, .rekeySoon: .soon
        case .revoked, .lapsed, .expired: .past
        case .active, .grace: .plain
        }
    }
}
