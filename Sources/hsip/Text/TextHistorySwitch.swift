internal import ArgumentParser
internal import Console
internal import VaultKit

/// `hsip text history on`.
struct TextHistoryOn: Command {
    static let path = "text history on"
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Remember texts from now on.",
        discussion: """
            From now on text encrypt and text decrypt open the vault, to write the entry before the text leaves; with \
            --no-history they do neither.

              hsip text history on
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        // First the note: what it says too much is put right by the next text, what it lacks would never be.
        try context.rememberTexts(true)
        let state = try await vault.setTextHistory(true)
        context.output.say(
            "Encrypted texts are remembered from now on; there are \(TextHistoryTexts.count(state.count))."
        )
        try context.output.succeed(.textHistory(state))
    }
}

/// `hsip text history off`.
struct TextHistoryOff: Command {
    static let path = "text history off"
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Remember no more texts; the entries stay.",
        discussion: """
              hsip text history off
              hsip text history clear
            """
    )

    func run(_ context: Context) async throws {
        let state = try await context.openVault().setTextHistory(false)
        try context.rememberTexts(false)
        context.output.say("Nothing is remembered from now on.")
        if state.count > 0 { context.output.hint("hsip text history clear") }
        try context.output.succeed(.textHistory(state))
    }
}
