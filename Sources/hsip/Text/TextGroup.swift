internal import ArgumentParser

/// Texts under a typed key, without contacts, and without a vault unless there is to be a history of them.
struct TextGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Texts under a key that you type: encrypt, decrypt, and a history of them.",
        subcommands: [TextEncrypt.self, TextDecrypt.self, TextHistoryGroup.self]
    )
}
