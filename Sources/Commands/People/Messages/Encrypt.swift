internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip encrypt CONTACT`: seals one text into one message.
struct Encrypt: Command {
    static let path = "encrypt"
    static let configuration = CommandConfiguration(
        abstract: "Encrypt a text or file for a contact.",
        discussion: """
            The text comes from stdin, a file or a question, never from the command line. --file \
            encrypts a file of any size into a new file.

              echo hi | hsip encrypt bob
              tail -f log | hsip encrypt bob --lines
              hsip encrypt bob --file photos.tar         makes photos.tar.hsip
            """
    )

    @Argument(help: "The contact who may read it.", completion: .contacts)
    var contact: String

    @Argument(help: "A file with the text; - is stdin.", completion: .file())
    var file: String?

    @Option(
        name: .customLong("file"),
        help: ArgumentHelp("Encrypt this file, of any size; - is stdin.", valueName: "file"),
        completion: .file()
    )
    var sealed: String?

    @Argument(help: .hidden)
    var rest: [String] = []

    @Flag(name: .customLong("verbose-form"), help: "Add a line that explains the message.")
    var isVerbose = false

    @Flag(name: .customLong("stealth"), help: "Print base64 alone, without the lock character.")
    var isStealth = false

    @Flag(help: "Make one message of each input line, as it arrives.")
    var lines = false

    @OptionGroup var target: NewFileOptions

    @Flag(help: "Copy the message to the clipboard.")
    var copy = false

    func run(_ context: Context) async throws {
        try check()
        if let sealed {
            let sealing = FileSealing(contact: contact, source: sealed, target: target)
            return try await sealing.run(context)
        }
        try target.check()
        let vault = try await context.openVault()
        guard !lines else { return try await sealLines(context, vault) }
        let names = ContactNames(context, vault)
        let (text, name) = try await text(context, names)
        let (sealed, _) = try await names.using(name) { try await vault(Operations.encrypt, text, $0) }
        let message = try MessageText.write(sealed.envelope, as: form) + [0x0A]
        try target.write(message, context)
        if copy {
            let text = String(decoding: message.dropLast(), as: UTF8.self)
            try Clipboard(environment: context.environment).copy(text)
        }
        context.output.tell(sealed.notices, about: sealed.contact)
        try context.output.succeed(Self.json(sealed, message))
    }

    private var form: MessageForm { isVerbose ? .verbose(id: nil) : isStealth ? .stealth : .compact }

    private func check() throws(Failure) {
        guard rest.isEmpty else { throw Self.textOnCommandLine }
        guard !(isVerbose && isStealth) else {
            throw Failure.usage("choose --verbose-form or --stealth, not both")
        }
        guard sealed == nil || !(file != nil || lines || copy || isVerbose || isStealth) else {
            throw Failure.usage(
                "--file seals one file, as it is",
                hint: "hsip encrypt NAME --file FILE -o FILE"
            )
        }
        guard !lines || !(isVerbose || copy || target.path != nil) else {
            throw Failure.usage("--lines writes one line a message to stdout, and nothing else")
        }
    }

    static let textOnCommandLine = Failure.usage(
        "a text never goes on the command line, where other programs can see it",
        hint: "echo … | hsip encrypt NAME, or a file"
    )

    /// The plaintext and the recipient's name; a person who types the text sees the recipient first.
    private func text(_ context: Context, _ names: ContactNames) async throws -> (Secret, String) {
        if file == nil, context.console.inputIsTerminal {
            let alias = try await names.resolve(contact).alias
            let question = "Message to \(context.output.display.cell(alias)):"
            let typed = try context.terminal.askText(question, flag: "FILE or stdin")
            guard typed.count > 0 else {
                throw Failure(.denied, "an empty message was not sealed")
            }
            return (Secret(typed), alias)
        }
        do throws(ConsoleError) {
            return (try OwnFile.readSecret(file ?? "-").withoutLastLineFeed(), contact)
        } catch {
            guard error != .noSuchFile else { throw missingFile(context) }
            guard case .tooLarge = error else { throw error }
            // A text has a limit; `--file` seals a file of any size.
            var failure = Failure(error)
            failure.hint = "hsip encrypt NAME --file FILE"
            throw failure
        }
    }

    /// The failure for a missing file; a word that may be the text itself is not repeated.
    private func missingFile(_ context: Context) -> Failure {
        guard let file, file.utf8.count <= 255, !file.contains(where: \.isWhitespace) else {
            return Self.textOnCommandLine
        }
        return Failure.usage(
            "\(context.output.display.text(file)): no such file; to send a text, pipe it or type it at the prompt",
            hint: "echo … | hsip encrypt NAME, or a file"
        )
    }

    /// The JSON result; the message in it lacks its final line feed.
    private static func json(_ sealed: SealedMessage, _ text: [UInt8]) -> JSONValue {
        [
            "message": .text(String(decoding: text.dropLast(), as: UTF8.self)),
            "contact": .text(sealed.contact), "sent": .integer(sealed.sent),
            "limit": .integer(sealed.limit), "expiresAt": .time(sealed.endsAt),
        ]
    }

    /// Seals each line as a message, and writes it before the next line is read.
    private func sealLines(_ context: Context, _ vault: any VaultService) async throws {
        let (_, alias) = try await ContactNames(context, vault).using(contact) {
            try await vault(Operations.contact, $0)
        }
        var reader =
            if let file, file != "-" {
                try LineReader(Secret(try OwnFile.readSecret(file, limit: 64 << 20)))
            } else {
                try LineReader(Descriptor.input)
            }
        var told: Set<String> = []
        while let line = try reader.next() {
            let text = Secret(line)
            let sealed = try await context.explaining(vault, about: alias) {
                try await vault(Operations.encrypt, text, alias)
            }
            let message = try MessageText.write(sealed.envelope, as: form) + [0x0A]
            // With --json each line is an object of its own, with warnings of its own.
            let output = context.isJSON ? context.freshOutput() : context.output
            try output.data(message)
            let fresh =
                context.isJSON ? sealed.notices : sealed.notices.filter { told.insert($0.name).inserted }
            output.tell(fresh, about: alias)
            try output.succeed(Self.json(sealed, message))
        }
    }
}

extension Context {
    /// Another output of this command, for one more object.
    fileprivate func freshOutput() -> Output {
        Output(command: output.command, mode: globals.mode, color: globals.color, console: console)
    }
}
