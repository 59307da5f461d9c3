internal import ArgumentParser
internal import Presentation
internal import Secrets

/// `hsip secret get NAME`.
struct SecretGet: Command {
    static let path = SecretReading.path
    static let readsOldCopies = SecretReading.readsOldCopies
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print one value of a secret, or copy it.",
        discussion: """
            On a terminal a line feed follows the value; elsewhere hsip adds nothing.

              hsip secret get db/prod
              hsip secret get db/prod --field user
              hsip secret get db/prod --copy --clear 15s
              hsip secret get passport -o scan.pdf
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Argument(help: .hidden)
    var rest: [String] = []

    @Option(
        help: ArgumentHelp("The field to print (default: the type's main field).", valueName: "name"),
        completion: .fields
    )
    var field: String?

    @Option(help: ArgumentHelp("Show this earlier version, by its number.", valueName: "number"))
    var version: UInt32?

    @OptionGroup
    var clipboard: ClipboardOptions

    @Flag(name: .customLong("qr"), help: "Draw the value as a QR code on the terminal.")
    var qr = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the value to this file (mode 0600); - is stdout.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    mutating func validate() throws { output = NewFile.named(output) }

    func run(_ context: Context) async throws {
        let reading = SecretReading(name: name, field: field, version: version, place: try place(context))
        try await reading.run(context)
    }

    /// The error for words after the name; it repeats them only if they name a known field.
    private var wordsBehind: Failure {
        var failure = SecretNames.valueOnCommandLine
        let known = [
            "username": CredentialField.user, "login": CredentialField.user, "otp": CredentialField.totp,
            "website": CredentialField.url, "uri": CredentialField.url, "note": "notes", "notes": "notes",
        ]
        let own = [
            CredentialField.user, CredentialField.password, CredentialField.url, CredentialField.totp,
            CredentialField.token, CredentialField.text, CredentialField.content,
        ]
        let word = rest[0].lowercased()
        let field = known[word] ?? (own.contains(word) ? word : "FIELD")
        failure.message = "use --field to read a field; \(failure.message)"
        failure.hint = "hsip secret get \(ShellWord.quoted(name)) --field \(field)"
        return failure
    }

    private func place(_ context: Context) throws -> SecretReading.Place {
        guard rest.isEmpty else { throw wordsBehind }
        guard [clipboard.copy, qr, output != nil].filter({ $0 }).count < 2 else {
            throw Failure.usage("use only --copy, --qr or -o")
        }
        guard !qr || context.console.outputIsTerminal else {
            throw Failure.usage("--qr needs a terminal")
        }
        let seconds = try clipboard.seconds()
        if clipboard.copy { return .clipboard(seconds: seconds) }
        if let output { return .file(output, replaces: force) }
        return qr ? .picture : .output
    }
}
