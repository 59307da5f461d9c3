internal import ArgumentParser
internal import Presentation
internal import Text
internal import VaultKit
internal import VaultPolicy

/// `hsip item list`.
struct ItemList: Command {
    static let path = "item list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the items that programs store, without values.",
        discussion: """
            A word finds labels, attributes and programs that contain it.

              hsip item list
              hsip item list github
              hsip item list --program /usr/bin/gh
              hsip item list --trash
            """
    )

    @Argument(help: "A part of a label, an attribute's value or a program's name.")
    var query: String?

    @OptionGroup
    var conditions: ItemConditions

    @Option(help: ArgumentHelp("Only what expires within this time or has expired.", valueName: "time"))
    var expiring: String?

    @Flag(help: "Show the trash instead.")
    var trash = false

    func run(_ context: Context) async throws {
        let end = try expiring.map { try SecretTimes.moment($0, "--expiring", now: context.now) }
        let isMeant = try conditions.test()
        let vault = try await context.openVault()
        let items = try await FoundItems(context, vault).all(inTrash: trash).filter { item in
            guard isMeant(item) else { return false }
            if let end, !(item.details?.expires.map { $0 <= end } ?? false) { return false }
            return query.map { item.mentions($0) } ?? true
        }
        let display = context.output.display
        let columns = [
            Column("id", .left, .whole), Column("item"), Column("program"),
            Column("collection", .left, .whole, spare: 2), Column("ends", .left, .whole, spare: 1),
            Column("changed", .left, .whole, spare: 3),
        ]
        let rows = items.map { item in
            [
                Cell(item.place.id), Cell(peer: item.label, display),
                Cell(peer: item.details?.owner?.text ?? "", display),
                Cell(peer: item.place.collection, display),
                item.details?.expires.map { Cell(relative: $0, now: context.now) } ?? Cell(""),
                Cell(relative: item.modified, now: context.now),
            ]
        }
        try context.list(Table(columns, rows: rows), empty: "no items match")
        try context.output.succeed(["items": .list(items.map { .item($0) })])
    }
}

/// The conditions that choose items by their properties; an item must meet all given conditions.
struct ItemConditions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Items with this owner; none for items without an owner.", valueName: "program")
    )
    var program: String?

    @Option(help: ArgumentHelp("Items in this collection.", valueName: "id"))
    var collection: String?

    @Option(help: ArgumentHelp("Items of this schema.", valueName: "name"))
    var schema: String?

    /// Whether no condition is given.
    var isEmpty: Bool { program == nil && collection == nil && schema == nil }

    /// A function that says if an item meets all conditions.
    ///
    /// - Throws: `badIdentity` for a word that does not name a program.
    func test() throws(Failure) -> (ItemView) -> Bool {
        let owner: ItemChange.Owner? = if let program { try ItemWords.owner(program) } else { nil }
        return { item in
            if let owner, owner != ItemWords.owner(of: item) { return false }
            if let collection, item.place.collection != collection { return false }
            return schema.map { item.schema == $0 } ?? true
        }
    }
}
