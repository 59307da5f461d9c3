internal import ArgumentParser

/// Texts under a typed key, without contacts and without a vault.
struct TextGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Texts under a key that somebody types: encrypt, decrypt.",
        subcommands: [TextEncrypt.self, TextDecrypt.self]
    )
}
