internal import ArgumentParser
internal import CommandKit
internal import Console
internal import HSIP
internal import SafeText
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

    /// The lines of a contact.
    static func sheet(_ summary: ContactSummary, _ context: Context) -> FactSheet {
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
        if !contact.note.isEmpty { sheet.add("Note", Cell(own: contact.note, display)) }
        if let created = summary.created { sheet.add("Known since", Cell(exactly: created)) }
        if let removed = contact.trashedAt { sheet.add("Removed", Cell(exactly: removed)) }
        if let state = summary.sessionState { sheet.add("Session", StateCell.cell(state)) }
        return sheet
    }

    private static func words(_ how: String) -> String { how == "safetyNumber" ? "safety number" : how }
}
