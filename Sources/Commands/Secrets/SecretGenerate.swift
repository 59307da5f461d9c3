internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip secret generate [NAME]`.
struct SecretGenerate: Command {
    static let path = "secret generate"
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a random password; print, copy or save it.",
        discussion: """
            With a name, hsip saves the password, as a new version if the secret exists, and does not \
            print it.

              hsip secret generate db/prod --copy --clear 15s
              hsip secret generate --words 6
            """
    )

    @Argument(help: "Save the password under this name.")
    var name: String?

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp("The number of characters, 6 to 64.", valueName: "number")
    )
    var length: Int?

    @Option(help: ArgumentHelp("Make a passphrase of this many words, 4 to 20.", valueName: "number"))
    var words: Int?

    @Flag(name: .customLong("no-upper"), help: "Use no capital letters.")
    var lacksUpper = false
    @Flag(name: .customLong("no-lower"), help: "Use no small letters.")
    var lacksLower = false
    @Flag(name: .customLong("no-digits"), help: "Use no digits.")
    var lacksDigits = false
    @Flag(name: .customLong("no-symbols"), help: "Use no symbols.")
    var lacksSymbols = false

    @Option(
        help: ArgumentHelp("The field to save the password in.", valueName: "name"),
        completion: .fields
    )
    var field: String?

    @OptionGroup
    var clipboard: ClipboardOptions

    func run(_ context: Context) async throws {
        guard field == nil || name != nil else {
            throw Failure.usage("--field needs the name of a secret")
        }
        let seconds = try clipboard.seconds()
        if clipboard.copy { try context.checkClipboard() }
        let (value, strength) = try make()
        var stored: CredentialOutcome?
        var opened: (any VaultService)?
        if let name {
            var change = CredentialChange()
            try change.put(value, in: field)
            let vault = try await context.openVault()
            stored = try await vault(Operations.setCredential, name, change)
            opened = vault
        }
        if clipboard.copy {
            try copy(value, seconds, storedAs: stored?.summary.name, context)
        } else if stored == nil {
            try context.output.data(value)
            if context.console.outputIsTerminal { try context.output.data([0x0A]) }
        }
        if let stored { context.tellStored(stored) }
        context.output.say(strength.text)
        if let stored, let opened { await context.tellGiven(changed: stored.summary.name, opened) }
        try context.output.succeed([
            "name": .optional(stored?.summary.name),
            "version": .optional(stored?.summary.version),
            "value": stored == nil && !clipboard.copy ? .secret(value) : .null,
            "copied": .bool(clipboard.copy), "characters": .integer(value.count),
            "words": .optional(words), "strength": .strength(strength),
        ])
    }

    /// Copies the value to the clipboard; a stored value stays stored even if that fails.
    private func copy(_ value: Secret, _ seconds: UInt32, storedAs name: String?, _ context: Context) throws {
        do {
            try context.copyForAWhile(value, seconds)
        } catch {
            var failure = Failure(error)
            if let name {
                let shown = context.output.display.cell(name)
                failure.message = "\(shown) is stored, but not in the clipboard: \(failure.message)"
                failure.hint = "hsip secret get \(ShellWord.quoted(name)) --copy"
            }
            throw failure
        }
    }

    private func make() throws -> (Secret, Strength) {
        let without = [lacksUpper, lacksLower, lacksDigits, lacksSymbols]
        if let words {
            guard length == nil, !without.contains(true) else {
                throw Failure.usage("--words excludes -n and the --no options")
            }
            guard let rule = PassphraseRule(words: words) else {
                throw Failure.usage("--words must be a number from 4 to 20")
            }
            return (Secret(try rule.make()), rule.strength)
        }
        let kinds = zip([CharacterKind.upper, .lower, .digit, .symbol], without).filter { !$0.1 }.map(\.0)
        guard !kinds.isEmpty else {
            throw Failure.usage("keep at least one of the four sets of characters")
        }
        guard let rule = PasswordRule(length: length ?? PasswordRule.usualLength, kinds: Set(kinds)) else {
            throw Failure.usage("-n must be a number from 6 to 64")
        }
        return (Secret(try rule.make()), rule.strength)
    }
}

extension JSONValue {
    /// `strength` of Schemas/cli/secret-check.schema.json; bits rounded down.
    static func strength(_ strength: Strength) -> JSONValue {
        let words = strength.label.rawValue.split(separator: " ")
        let label = words[0].lowercased() + words.dropFirst().joined()
        return ["bits": .integer(Int64(strength.bits)), "label": .text(label)]
    }
}
