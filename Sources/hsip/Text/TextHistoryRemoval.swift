internal import ArgumentParser
internal import Console
internal import Programs
internal import VaultKit

/// `hsip text history rm NUMBER…`.
struct TextHistoryRemove: Command {
    static let path = "text history rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Forget entries by their numbers, for good.",
        discussion: """
              hsip text history rm 12
              hsip text history rm 12 13 14
            """
    )

    @Argument(help: "The numbers that list shows.")
    var numbers: [UInt64]

    func run(_ context: Context) async throws {
        guard numbers.count <= TextHistory.maximum else {
            throw Failure.usage("there are at most \(TextHistory.maximum) entries")
        }
        let state = try await context.openVault().forgetTexts(numbers)
        context.output.say("\(TextHistoryTexts.count(state.count)) left")
        try context.output.succeed(.textHistory(state))
    }
}

/// `hsip text history clear`.
struct TextHistoryClear: Command {
    static let path = "text history clear"
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Forget every entry, for good; on or off, it stays as it is.",
        discussion: """
              hsip text history clear
              hsip text history clear --yes
            """
    )

    func run(_ context: Context) async throws {
        guard try context.agrees("Forget every text of the history? This cannot be undone.") else {
            throw ConsoleError.refused
        }
        let removed = try await context.openVault().clearTextHistory()
        context.output.say("\(TextHistoryTexts.count(removed)) forgotten")
        try context.output.succeed(["removed": .integer(Int64(removed))])
    }
}
