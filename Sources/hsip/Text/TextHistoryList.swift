internal import ArgumentParser
internal import Console
internal import SafeText
internal import VaultKit

/// `hsip text history list`.
struct TextHistoryList: Command {
    static let path = "text history list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "The texts that are remembered, the newest first.",
        discussion: """
            Of a text of more than 4,096 characters only the beginning is there.

              hsip text history list
              hsip text history list --json
            """
    )

    func run(_ context: Context) async throws {
        let history = try await context.openVault().textHistory()
        try context.rememberTexts(history.isOn)
        var table = Table([
            Column("number"), Column("when", .left, .whole), Column("action", .left, .whole, spare: 1),
            Column("algorithm", .left, .whole, spare: 2), Column("text"),
        ])
        for item in history.items.reversed() {
            let time = Int64(clamping: item.time)
            table.add([
                Cell("\(item.number)"),
                Cell(Times.relative(time, now: context.now), value: Times.rfc3339(time)),
                Cell(item.entry.action.word), Cell(item.entry.algorithm.word),
                Cell(item.entry.text + (item.entry.isCut ? "…" : ""), value: item.entry.text),
            ])
        }
        try context.output.table(table)
        if !history.isOn {
            context.output.note("nothing is remembered: the history is off")
            if history.items.isEmpty { context.output.hint("hsip text history on") }
        }
        try context.output.succeed([
            "on": .bool(history.isOn), "entries": .list(history.items.reversed().map { .textItem($0) }),
        ])
    }
}
