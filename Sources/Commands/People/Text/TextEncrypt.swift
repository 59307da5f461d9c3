internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultKit

/// `hsip text encrypt`: encrypts one text under a typed key, as Ciphio and others read it.
struct TextEncrypt: Command {
    static let path = "text encrypt"
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Encrypt a text with a key that you type.",
        discussion: """
            The text comes from stdin, a file or a question. The reader needs the same key. Choose a \
            long key: guesses cost an attacker little.

              wl-paste | hsip text encrypt --copy
            """
    )

    @Argument(help: "A file with the text; - is stdin.")
    var file: String?

    @Argument(help: .hidden)
    var rest: [String] = []

    @Option(
        help: ArgumentHelp(
            "gcm (default), cbc or ctr; cbc and ctr are not authenticated.",
            valueName: "name"
        ),
        transform: Self.algorithm
    )
    var algorithm: TextAlgorithm = .gcm

    @OptionGroup
    var source: TextKeyOptions

    @OptionGroup
    var target: NewFileOptions

    @Flag(help: "Copy the encrypted text to the clipboard.")
    var copy = false

    @Flag(name: .customLong("no-history"), help: "Do not add the text to the history.")
    var isForgotten = false

    func run(_ context: Context) async throws {
        guard rest.isEmpty else { throw Encrypt.textOnCommandLine }
        try source.check()
        try target.check()
        let text = try text(context)
        let memory = try await TextMemory.open(context, isForgotten: isForgotten)
        let key = try await source.key(isNew: true, context, memory?.vault)
        let sealed = try context.output.working("deriving key…") { () throws(TextCipherError) in
            try CipherText.seal(text, as: algorithm, key: key)
        }
        try await memory?.note(.encrypt, sealed)
        let line = sealed.text + [0x0A]
        try target.write(line, context)
        if copy {
            let text = String(decoding: sealed.text, as: UTF8.self)
            try Clipboard(environment: context.environment).copy(text)
        }
        context.output.noteAuthentication(sealed.algorithm)
        try context.output.succeed([
            "text": .text(String(decoding: sealed.text, as: UTF8.self)),
            "algorithm": .text(algorithm.rawValue), "authenticated": .bool(algorithm.isAuthenticated),
        ])
    }

    private static func algorithm(_ word: String) throws -> TextAlgorithm {
        guard let algorithm = TextAlgorithm(rawValue: word) else {
            throw ValidationError("--algorithm needs gcm, cbc or ctr")
        }
        return algorithm
    }

    private func text(_ context: Context) throws -> Secret {
        if file == nil, context.console.inputIsTerminal {
            let typed = try context.terminal.askText("Text to encrypt:", flag: "FILE or stdin")
            guard typed.count > 0 else { throw ConsoleError.refused }
            return Secret(typed)
        }
        do throws(ConsoleError) {
            return try OwnFile.readSecret(file ?? "-", limit: CipherText.longestPlaintext + 1)
                .withoutLastLineFeed()
        } catch {
            // The word may be the text itself, not a file.
            guard error != .noSuchFile else {
                var failure = Encrypt.textOnCommandLine
                failure.hint = "echo … | hsip text encrypt, or a file"
                throw failure
            }
            throw error
        }
    }
}

extension Output {
    /// Notes that an algorithm does not authenticate, for readers who rely on the text.
    func noteAuthentication(_ algorithm: TextAlgorithm) {
        guard !algorithm.isAuthenticated else { return }
        note(
            Warning(
                "notAuthenticated",
                "\(algorithm.rawValue) is not authenticated: a text that was changed on the way may not be noticed",
                fields: ["algorithm": .text(algorithm.rawValue)]
            )
        )
    }
}
