internal import ArgumentParser
internal import Presentation
internal import Text
internal import VaultKit
internal import VaultPolicy

/// `hsip item show ID`.
struct ItemShow: Command {
    static let path = "item show"
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an item's details, without its value.",
        discussion: """
            Name an item by its id, by at least four first digits of it, or by a unique label.

              hsip item show 3f2a
            """
    )

    @Argument(help: "The item's id or label.", completion: .items)
    var item: String

    @Flag(help: "Show one from the trash.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let item = try await FoundItems(context, vault).one(item, inTrash: trash)
        let versions = try await vault(Operations.itemVersions, item.place.id)
        let display = context.output.display
        var sheet = FactSheet()
        sheet.add("Item", item.place.id)
        sheet.add("Label", Cell(peer: item.label, display))
        sheet.add("Collection", Cell(peer: item.place.collection, display))
        for (name, value) in item.texts { sheet.add("Attribute", Cell(peer: "\(name) = \(value)", display)) }
        sheet.add("Owner", Cell(peer: item.details?.owner?.text ?? "none", display))
        for reader in item.details?.readers ?? [] { sheet.add("Reader", Cell(peer: reader.text, display)) }
        if let type = item.contentType { sheet.add("Content", Cell(peer: type, display)) }
        sheet.add("Made", Cell(exactly: item.created))
        sheet.add("Changed", Cell(exactly: item.modified))
        if let end = item.details?.expires { sheet.add("Ends", Cell(exactly: end)) }
        if let removed = item.details?.removedAt { sheet.add("Removed", Cell(exactly: removed)) }
        sheet.add("Versions", versions.map { "\($0)" }.joined(separator: ", "))
        try context.output.facts(sheet)
        try context.output.succeed(
            .item(item).with(["versions": .list(versions.map { .integer($0) })])
        )
    }
}
