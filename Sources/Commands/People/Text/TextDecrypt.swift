internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip text decrypt`: decrypts a text that was encrypted under a typed key, by hsip or Ciphio.
struct TextDecrypt: Command {
    static let path = "text decrypt"
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Decrypt a text with a key that you type.",
        discussion: """
            The encrypted text comes from stdin or a file, or you paste it. Without gcm:, cbc: or ctr: in \
            front, hsip reads it as gcm. The output ends with a line feed.

              hsip text decrypt note.gcm
              wl-paste | hsip text decrypt
              hsip text decrypt --key vault:ciphio < note.gcm
            """
    )

    @Argument(help: "A file with the encrypted text; - is stdin.")
    var file: String?

    @OptionGroup
    var source: TextKeyOptions

    @OptionGroup
    var target: NewFileOptions

    @Flag(name: .customLong("no-history"), help: "Do not add the text to the history.")
    var isForgotten = false

    func run(_ context: Context) async throws {
        try source.check()
        try target.check()
        let sealed = try CipherText(text: try read(context))
        let memory = try await TextMemory.open(context, isForgotten: isForgotten)
        let key = try await source.key(isNew: false, context, memory?.vault)
        let text = Secret(
            try context.output.working("deriving key…") { () throws(TextCipherError) in
                try sealed.open(key: key)
            }
        )
        try await memory?.note(.decrypt, sealed)
        if target.path != nil {
            try target.write(text, context)
        } else if context.console.outputIsTerminal {
            // On a terminal, a text cannot move the cursor, hide text or reverse it.
            try context.output.data(try context.output.display.text(text))
            if !Self.endsWithLineFeed(text) { try context.output.line("") }
        } else {
            try context.output.data(text)
            if !Self.endsWithLineFeed(text) { try context.output.line("") }
        }
        context.output.noteAuthentication(sealed.algorithm)
        try context.output.succeed([
            "text": .secret(text), "algorithm": .text(sealed.algorithm.rawValue),
            "authenticated": .bool(sealed.algorithm.isAuthenticated),
        ])
    }

    private func read(_ context: Context) throws -> [UInt8] {
        guard file == nil, context.console.inputIsTerminal else {
            return try OwnFile.read(file ?? "-", limit: CipherText.longestText)
        }
        guard let pasted = try context.terminal.askCode("Paste the encrypted text:", flag: "FILE or stdin")
        else { throw ConsoleError.refused }
        return pasted
    }

    private static func endsWithLineFeed(_ text: Secret) -> Bool {
        text.withBytes { $0.byteCount > 0 && $0.byte(at: $0.byteCount - 1) == 0x0A }
    }
}

/// `hsip text`: texts under a typed key, without contacts; only their history needs a vault.
struct TextGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Encrypt and decrypt texts with a key that you type.",
        subcommands: [TextEncrypt.self, TextDecrypt.self, TextHistoryGroup.self]
    )
}
