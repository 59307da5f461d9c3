internal import ArgumentParser
internal import Console
internal import HSIP
internal import VaultKit

/// `hsip contact list`.
struct ContactList: Command {
    static let path = "contact list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "All contacts.",
        discussion: """
              hsip contact list
              hsip contact list --trash
            """
    )

    @Flag(help: "Those that were removed.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let contacts = try await vault.contacts(inTrash: trash)
        let display = context.output.display
        var table = Table([
            Column("contact"), Column("verified", .left, .wrapped), Column("session", .left, .whole),
            Column("PeerID", .left, .whole, spare: 2), Column("note", spare: 1),
        ])
        for summary in contacts {
            let contact = summary.contact
            let state = summary.sessionState
            table.add([
                Cell(own: contact.alias, display), TrustCell.cell(contact),
                Cell(state.map { StateCell.text($0) } ?? "none", value: state?.rawValue ?? "none"),
                Cell(contact.peerID.text), Cell(own: contact.note, display),
            ])
        }
        try context.output.table(table)
        try await context.tellDamage(vault)
        if contacts.isEmpty, !trash {
            context.output.hint("hsip pair  shows your code to someone")
        }
        try context.output.succeed(.contacts(contacts))
    }
}
