internal import ArgumentParser
internal import Commands
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// `hsip item export --to keyring`.
struct ItemExportCommand: Command {
    static let path = "item export"
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export other programs' passwords to the desktop keyring.",
        discussion: """
            All items go to the default keyring, where every program of yours can read them, so you type \
            their number. hsip replaces nothing there, and the vault keeps its items.

              hsip item export --to keyring
              hsip item export --to keyring --expect 42
            """
    )

    @Option(help: ArgumentHelp("The place to export to: keyring.", valueName: "place"))
    var to: ItemKeyring

    @Option(help: ArgumentHelp("Number of items, instead of typing it at the prompt.", valueName: "number"))
    var expect: String?

    func run(_ context: Context) async throws {
        let service = try context.connect(context.patience)
        let vault = try await context.openVault()
        let items = try await FoundItems(context, vault).all()
        guard !items.isEmpty else {
            context.output.note("the vault has no items")
            return try context.output.succeed(["items": .list([])])
        }
        try context.confirm(
            items.count,
            "items",
            "Every program of this user can read the items in the keyring.",
            expected: expect
        )
        let target = try KeyringItemTarget(service)
        var results: [(item: ItemView, act: KeyringItemTarget.Act)] = []
        // An answer holds a hundred values, and fewer where they are long: what is left out is asked for again.
        var rest = items[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(ItemReading.maximum))
            let values = try await vault.itemValues(ItemReading(some.map(\.place.id)))
            guard !values.isEmpty else { throw VaultError.item(.unknownItem) }
            for value in values {
                guard let item = some.first(where: { $0.place.id == value.place.id }) else { continue }
                results.append((item, try target.add(item, value)))
            }
            let done = Set(values.map(\.place.id))
            rest = rest.filter { !done.contains($0.place.id) }[...]
        }
        try show(results, context)
    }

    private func show(
        _ results: [(item: ItemView, act: KeyringItemTarget.Act)],
        _ context: Context
    ) throws {
        var table = Table([Column("item"), Column("result", .left, .whole), Column("id", .left, .whole)])
        for (item, act) in results {
            let words =
                switch act {
                case .added: "added"
                case .known: "known"
                case .differs: "left out: the keyring has another value"
                }
            table.add([
                Cell(peer: item.label, context.output.display), Cell(words, value: act.rawValue),
                Cell(item.place.id),
            ])
        }
        try context.output.table(table)
        try context.output.succeed([
            "items": .list(
                results.map { item, act in
                    [
                        "label": .text(item.label), "result": .text(act.rawValue), "id": .text(item.place.id),
                    ]
                }
            )
        ])
    }
}
