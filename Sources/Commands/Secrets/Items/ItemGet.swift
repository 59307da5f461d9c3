internal import ArgumentParser
internal import Presentation
internal import VaultKit

/// `hsip item get ID`.
struct ItemGet: Command {
    static let path = "item get"
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of an item, or copy it.",
        discussion: """
            On a terminal a line feed follows the value; anywhere else nothing is added.

              hsip item get 3f2a
              hsip item get 3f2a --version 2
              hsip item get 3f2a --copy
            """
    )

    @Argument(help: "The item's id or label.", completion: .items)
    var item: String

    @Option(help: ArgumentHelp("Show this earlier version, by its number.", valueName: "number"))
    var version: UInt32?

    @OptionGroup
    var clipboard: ClipboardOptions

    func run(_ context: Context) async throws {
        let seconds = try clipboard.seconds()
        let vault = try await context.openVault()
        let item = try await FoundItems(context, vault).one(item)
        let reading = ItemReading([item.place.id], version: version)
        guard let found = try await vault.itemValues(reading).first else {
            throw VaultError.item(.unknownItem)
        }
        if clipboard.copy {
            try context.copyForAWhile(found.value, seconds)
        } else {
            try context.show(found.value)
        }
        // The value as text if it is text, and always in base64; null if it was copied.
        try context.output.succeed([
            "id": .text(found.place.id), "label": .text(item.label), "version": .integer(found.version),
            "contentType": .optional(found.contentType),
            "value": !clipboard.copy && JSONValue.isText(found.value) ? .secret(found.value) : .null,
            "valueBase64": clipboard.copy ? .null : .secretBase64(found.value),
            "copied": .bool(clipboard.copy),
        ])
    }
}
