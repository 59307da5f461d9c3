internal import ArgumentParser
internal import Commands
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// The other place of `item import` and `item export`.
enum ItemKeyring: String, KeyringChoice, CaseIterable {
    /// The desktop's keyring.
    case keyring
}

/// `hsip item import --from keyring`.
struct ItemImportCommand: Command {
    static let path = "item import"
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import other programs' passwords from the desktop keyring.",
        discussion: """
            hsip imports label, attributes, value, times and collection in one commit. A new item has no \
            owner, so the agent asks about each program once. The keyring keeps its items.

              hsip item import --from keyring --dry-run
              hsip item import --from keyring
            """
    )

    @Option(help: ArgumentHelp("The place to import from: keyring.", valueName: "place"))
    var from: ItemKeyring

    @Flag(name: .customLong("dry-run"), help: "Show what would be imported; change nothing.")
    var isTrial = false

    @Flag(
        help:
            "Save another value of a known item as a new version."
    )
    var update = false

    func run(_ context: Context) async throws {
        let service = try context.connect(context.patience)
        let found = try context.output.working("reading…") { try KeyringItemSource(service).read() }
        let vault = try await context.openVault()
        let (display, count) = (context.output.display, found.items.count)
        guard try isTrial || count == 0 || context.agrees("Import \(count) items?") else {
            throw ConsoleError.refused
        }
        let batch = try ItemImport(found.items, labels: found.labels, updates: update)
        let outcomes =
            count == 0
            ? []
            : try await context.handing(to: "item import --from keyring") {
                try await vault.importItems(batch, isTrial: isTrial)
            }
        var table = Table([Column("item"), Column("result", .left, .whole), Column("id", .left, .whole)])
        for (item, outcome) in zip(found.items, outcomes) {
            table.add([
                Cell(peer: item.label, display), Cell(Self.words(outcome.act), value: Self.name(outcome.act)),
                Cell(outcome.place?.id ?? ""),
            ])
        }
        for (label, reason) in found.leftOut {
            table.add([Cell(peer: label, display), Cell("left out: \(reason)", value: "refused"), Cell("")])
        }
        try context.output.table(table)
        let added = outcomes.count { $0.act == .added || $0.act == .versioned }
        context.output.say(
            isTrial
                ? "\(added) items would be imported; nothing was changed."
                : "\(added) items are in the vault."
        )
        try context.output.succeed([
            "dryRun": .bool(isTrial),
            "items": .list(
                zip(found.items, outcomes).map { item, outcome in
                    [
                        "label": .text(item.label), "result": .text(Self.name(outcome.act)),
                        "id": .optional(outcome.place?.id),
                    ]
                }
                    + found.leftOut.map { label, reason in
                        ["label": .text(label), "result": .text("refused"), "id": .null]
                    }
            ),
        ])
    }

    /// As scripts read it.
    private static func name(_ act: ItemImportOutcome.Act) -> String {
        act == .noRoom ? "refused" : act.rawValue
    }

    private static func words(_ act: ItemImportOutcome.Act) -> String {
        switch act {
        case .added: "new"
        case .versioned: "new version"
        case .known: "known"
        case .differs: "left out: has another value (--update)"
        case .noRoom: "left out: the vault has no room for more"
        }
    }
}
