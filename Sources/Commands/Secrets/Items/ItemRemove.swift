internal import ArgumentParser
internal import Presentation
internal import Text
internal import VaultKit

/// `hsip item rm ID…`.
struct ItemRemove: Command {
    static let path = "item rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Move items to the trash for 30 days.",
        discussion: """
            Programs no longer find removed items. If one id is unknown, hsip removes none.

              hsip item rm 3f2a
            """
    )

    @Argument(help: "The items' ids or labels.", completion: .items)
    var items: [String]

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let found = try await FoundItems(context, vault).each(items)
        let removed = try await vault(Operations.removeItem, found.map(\.place.id))
        for item in found {
            context.output.say(
                "\(context.output.display.cell(item.label)) is in the trash: hsip item restore \(item.place.id)"
            )
        }
        try context.output.succeed([
            "items": .list(removed.map { ["id": .text($0.id), "collection": .text($0.collection)] })
        ])
    }
}

/// `hsip item restore ID…`.
struct ItemRestore: Command {
    static let path = "item restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore items from the trash.",
        discussion: """
              hsip item restore 3f2a
            """
    )

    @Argument(help: "The items' ids or labels.")
    var items: [String]

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let found = try await FoundItems(context, vault).each(items, inTrash: true)
        let views = try await vault(Operations.restoreItem, found.map(\.place.id))
        for view in views { context.output.say("\(context.output.display.cell(view.label)) is back.") }
        try context.output.succeed(["items": .list(views.map { .item($0) })])
    }
}
