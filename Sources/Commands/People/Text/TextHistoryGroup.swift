internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultKit

/// `hsip text history`: the texts that were encrypted and decrypted, if the history is on.
struct TextHistoryGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Keep a history of encrypted texts in the vault.",
        discussion: """
            The history is off until you switch it on. An entry has the encrypted text, the time and the \
            method, but neither the plaintext nor anything of the key. hsip keeps a hundred entries.

              hsip text history on
              hsip text history list
            """,
        subcommands: [
            TextHistoryOn.self, TextHistoryOff.self, TextHistoryList.self, TextHistoryRemove.self,
            TextHistoryClear.self,
        ]
    )
}

/// `hsip text history list`.
struct TextHistoryList: Command {
    static let path = "text history list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the texts in the history, newest first.",
        discussion: """
            If a text is longer than 4,096 characters, the history has only its beginning.

              hsip text history list
              hsip text history list --json
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let history = try await vault(Operations.textHistory)
        try context.noteTexts(history.isOn)
        let columns = [
            Column("number"), Column("when", .left, .whole), Column("action", .left, .whole, spare: 1),
            Column("algorithm", .left, .whole, spare: 2), Column("text"),
        ]
        let rows = history.items.reversed().map { item in
            [
                Cell("\(item.number)"), Cell(relative: item.time, now: context.now),
                Cell(item.entry.action.word), Cell(item.entry.algorithm.word),
                Cell(item.entry.text + (item.entry.isCut ? "…" : ""), value: item.entry.text),
            ]
        }
        try context.list(Table(columns, rows: rows), empty: "the history has no texts")
        if !history.isOn {
            context.output.note("the history is off, so hsip remembers no texts")
            if history.items.isEmpty { context.output.hint("hsip text history on") }
        }
        try context.output.succeed([
            "on": .bool(history.isOn), "entries": .list(history.items.reversed().map(Self.json)),
        ])
    }

    /// An `entry` of Schemas/cli/text.schema.json.
    private static func json(_ item: TextHistory.Item) -> JSONValue {
        [
            "number": .integer(item.number), "at": .time(item.time),
            "action": .text(item.entry.action.word), "algorithm": .text(item.entry.algorithm.word),
            "text": .text(item.entry.text), "isCut": .bool(item.entry.isCut),
            "length": .integer(item.entry.length),
        ]
    }
}

/// `hsip text history rm NUMBER…`.
struct TextHistoryRemove: Command {
    static let path = "text history rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete history entries for good.",
        discussion: """
              hsip text history rm 12
              hsip text history rm 12 13 14
            """
    )

    @Argument(help: "The entries' numbers, as list shows them.")
    var numbers: [UInt64]

    func run(_ context: Context) async throws {
        guard numbers.count <= TextHistory.maximum else {
            throw Failure.usage("there are at most \(TextHistory.maximum) entries")
        }
        let vault = try await context.openVault()
        let state = try await vault(Operations.forgetTexts, numbers)
        context.output.say("\(entries(state.count)) left")
        try context.output.succeed(state.json)
    }
}

/// `hsip text history clear`.
struct TextHistoryClear: Command {
    static let path = "text history clear"
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete every history entry for good.",
        discussion: """
              hsip text history clear
              hsip text history clear --yes
            """
    )

    func run(_ context: Context) async throws {
        guard try context.agrees("Forget every text of the history? This cannot be undone.") else {
            throw ConsoleError.refused
        }
        let vault = try await context.openVault()
        let removed = try await vault(Operations.clearTextHistory)
        context.output.say("\(entries(removed)) forgotten")
        try context.output.succeed(["removed": .integer(removed)])
    }
}

/// `hsip text history on`.
struct TextHistoryOn: Command {
    static let path = "text history on"
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Start to add texts to the history.",
        discussion: """
            hsip text encrypt and text decrypt then open the vault to write the entry before they print \
            the text. With --no-history they do neither.

              hsip text history on
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        // The note is written first: the next text corrects a wrong "on", but never a wrong "off".
        try context.rememberTexts(true)
        let state = try await vault(Operations.setTextHistory, true)
        context.output.say(
            "Encrypted texts are remembered from now on; there are \(entries(state.count))."
        )
        try context.output.succeed(state.json)
    }
}

/// `hsip text history off`.
struct TextHistoryOff: Command {
    static let path = "text history off"
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Stop adding texts to the history; keep its entries.",
        discussion: """
              hsip text history off
              hsip text history clear
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let state = try await vault(Operations.setTextHistory, false)
        context.output.say("Nothing is remembered from now on.")
        try context.noteTexts(false)
        if state.count > 0 { context.output.hint("hsip text history clear") }
        try context.output.succeed(state.json)
    }
}

/// The number of entries in words: `3 entries`.
private func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

extension TextHistoryState {
    /// The `state` of Schemas/cli/text.schema.json.
    fileprivate var json: JSONValue { ["on": .bool(isOn), "entries": .integer(count)] }
}
