internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `hsip secret totp NAME`.
struct SecretTOTP: Command {
    static let path = "secret totp"
    static let configuration = CommandConfiguration(
        commandName: "totp",
        abstract: "Print the current one-time password, or save its key.",
        discussion: """
            --set saves the QR code, the otpauth:// or steam:// address, or the key that a service shows \
            for a second factor. stderr says how many seconds the password is still valid. Passwords by \
            counter (otpauth://hotp/) change with every call.

              hsip secret totp github
              hsip secret totp github --copy
              hsip secret totp github --set shot.png
              wl-paste | hsip secret totp github --set -
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Option(
        help: ArgumentHelp("Save the key from this picture or text; - is stdin.", valueName: "file"),
        completion: .file()
    )
    var set: String?

    @OptionGroup
    var clipboard: ClipboardOptions

    func run(_ context: Context) async throws {
        let seconds = try clipboard.seconds()
        if let set {
            guard !clipboard.copy else {
                throw Failure.usage("--set prints no password; leave out --copy")
            }
            return try await store(set, context)
        }
        // A counter-based password is used up when it is given out.
        if clipboard.copy { try context.checkClipboard() }
        let vault = try await context.openVault()
        let code = try await SecretNames(context, vault).using(name) { known in
            try await SecretNames.explaining(known, context, excepting: true) {
                do {
                    return try await vault(Operations.oneTimeCode, known)
                } catch VaultError.secret(.unknownField) {
                    throw Self.keyless(known, context)
                }
            }
        }
        if clipboard.copy {
            try context.copyForAWhile(code.digits, seconds)
        } else {
            try context.output.data(code.digits)
            if context.console.outputIsTerminal { try context.output.data([0x0A]) }
        }
        var (left, period, counter) = (UInt64?.none, UInt64?.none, UInt64?.none)
        switch code.validity {
        case .seconds(let seconds, let all):
            (left, period) = (UInt64(seconds), UInt64(all))
            context.output.say("\(Plural.of(Int(seconds), "second")) left")
        case .counter(let number):
            counter = number
            context.output.say("number \(number), for one use")
        }
        try context.output.succeed([
            "name": .text(code.name), "password": clipboard.copy ? .null : .secret(code.digits),
            "copied": .bool(clipboard.copy), "secondsLeft": .optional(left),
            "periodSeconds": .optional(period), "counter": .optional(counter),
            "issuer": .unlessEmpty(code.issuer), "account": .unlessEmpty(code.account),
        ])
    }

    /// The error for a secret without a key for one-time passwords; its hint says what to store first.
    private static func keyless(_ name: String, _ context: Context) -> Failure {
        var failure = Failure(CredentialError.unknownField)
        failure.message = "\(context.output.display.name(name)) has no key of one-time passwords"
        failure.hint = "hsip secret totp \(ShellWord.quoted(name)) --set FILE"
        return failure
    }

    private func store(_ source: String, _ context: Context) async throws {
        let text = try read(source, context)
        let key = try Self.key(text)
        var change = CredentialChange()
        try change.put(text, in: CredentialField.totp)
        let vault = try await context.openVault()
        let outcome = try await vault(Operations.setCredential, name, change)
        let issuer = key.issuer.isEmpty ? "" : " of \(context.output.display.cell(key.issuer))"
        context.output.note(
            "\(key.digits) digits\(issuer); the current code: hsip secret totp \(ShellWord.quoted(name))"
        )
        try context.output.succeed([
            "name": .text(outcome.summary.name), "password": nil, "copied": false,
            "secondsLeft": nil, "periodSeconds": nil, "counter": nil,
            "issuer": .unlessEmpty(key.issuer), "account": .unlessEmpty(key.account),
        ])
    }

    /// The address or key as text; if the source is a picture, read from its QR code.
    private func read(_ source: String, _ context: Context) throws -> Secret {
        let bytes = try OwnFile.readSecret(source, limit: ImageReader.limit)
        var start = bytes.withBytes { span in (0..<min(8, span.byteCount)).map { span.byte(at: $0) } }
        defer { start.wipe() }
        guard ImageReader.isImage(start) else {
            return try bytes.withoutLastLineFeed()
        }
        var image = bytes.withBytes { $0.copied() }
        defer { image.wipe() }
        let codes = try ImageReader(environment: context.environment).secrets(in: image)
        let meant = codes.filter { (try? OneTimeKey(reading: $0)) != nil }
        guard meant.count == 1, let code = meant.first else {
            throw meant.isEmpty ? Failure(OneTimeError.malformed) : Self.severalCodes
        }
        return code
    }

    private static let severalCodes = Failure(
        .severalCodes,
        "the picture has several keys of one-time passwords",
        hint: "cut the picture to one QR code"
    )

    private static func key(_ text: Secret) throws(Failure) -> OneTimeKey {
        do throws(OneTimeError) {
            return try OneTimeKey(reading: text)
        } catch {
            throw Failure(error)
        }
    }
}
