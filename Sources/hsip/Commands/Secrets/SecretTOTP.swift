internal import ArgumentParser
internal import Console
internal import Credentials
internal import Programs
internal import SafeText
internal import VaultCrypto
internal import VaultKit

/// `hsip secret totp NAME`.
struct SecretTOTP: Command {
    static let path = "secret totp"
    static let configuration = CommandConfiguration(
        commandName: "totp",
        abstract: "Print the one-time password of this moment, or store what it is made from.",
        discussion: """
            What a service shows when a second factor is set up is stored with --set: its QR code as a picture, the \
            otpauth:// address behind it, or the key alone. How many seconds are left is said on stderr.

              hsip secret totp github
              hsip secret totp github --set shot.png
              wl-paste | hsip secret totp github --set -
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Option(help: ArgumentHelp("Store the key from this picture or text; - is stdin.", valueName: "file"))
    var set: String?

    func run(_ context: Context) async throws {
        if let set { return try await store(set, context) }
        let vault = try await context.openVault()
        let found = try await vault.credentialValue(CredentialReference(name, field: CredentialField.totp))
        let key = try Self.key(found.value)
        let password = try Self.explaining { () throws(OneTimeError) in try key.password(at: context.now) }
        try context.output.data(password.digits)
        if context.surroundings.outputIsTerminal { try context.output.data([0x0A]) }
        context.output.say("\(password.secondsLeft) seconds left")
        try context.output.succeed([
            "name": .text(found.reference.name), "password": .secret(password.digits),
            "secondsLeft": .integer(Int64(password.secondsLeft)),
            "periodSeconds": .integer(Int64(password.period)),
            "issuer": .optional(key.issuer.isEmpty ? nil : key.issuer),
            "account": .optional(key.account.isEmpty ? nil : key.account),
        ])
    }

    private func store(_ source: String, _ context: Context) async throws {
        let text = try read(source, context)
        let key = try Self.key(text)
        guard case .time = key.moving else { throw Self.explain(.counted) }
        var change = CredentialChange()
        try change.put(text, in: CredentialField.totp)
        let vault = try await context.openVault()
        let outcome = try await vault.setCredential(name, change)
        let issuer = key.issuer.isEmpty ? "" : " of \(context.output.display.cell(key.issuer))"
        context.output.note(
            "\(key.digits) digits\(issuer); the code of now: hsip secret totp \(ShellWord.quoted(name))"
        )
        try context.output.succeed([
            "name": .text(outcome.summary.name), "password": .null, "secondsLeft": .null,
            "periodSeconds": .null, "issuer": .optional(key.issuer.isEmpty ? nil : key.issuer),
            "account": .optional(key.account.isEmpty ? nil : key.account),
        ])
    }

    /// The address or key as text, out of a picture where it is one.
    private func read(_ source: String, _ context: Context) throws -> Secret {
        let bytes = try OwnFile.readSecret(source, limit: ImageReader.limit)
        var start = bytes.withBytes { span in (0..<min(8, span.byteCount)).map { span.byte(at: $0) } }
        defer { start.wipe() }
        guard ImageReader.isImage(start) else {
            return try Encrypt.trimmed(bytes)
        }
        var image = bytes.withBytes { $0.copied() }
        defer { image.wipe() }
        let codes = try ImageReader(environment: context.environment).secrets(in: image)
        let meant = codes.filter { (try? OneTimeKey(reading: $0)) != nil }
        guard meant.count == 1, let code = meant.first else {
            throw meant.isEmpty ? Self.explain(.malformed) : Self.severalCodes
        }
        return code
    }

    private static let severalCodes = Failure(
        .inputNeeded,
        code: "severalCodes",
        message: "the picture has several keys of one-time passwords",
        hint: "cut one of them out"
    )

    private static func key(_ text: Secret) throws(Failure) -> OneTimeKey {
        try explaining { () throws(OneTimeError) in try OneTimeKey(reading: text) }
    }

    private static func explaining<R>(_ body: () throws(OneTimeError) -> R) throws(Failure) -> R {
        do throws(OneTimeError) {
            return try body()
        } catch {
            throw explain(error)
        }
    }

    private static func explain(_ error: OneTimeError) -> Failure {
        switch error {
        case .malformed, .badKey:
            Failure(
                .malformed,
                code: "badOneTimeKey",
                message: "that is neither an otpauth:// address nor a key in base32",
                hint: "hsip secret totp NAME --set FILE"
            )
        case .unsupported:
            Failure(
                .malformed,
                code: "badOneTimeKey",
                message: "one-time passwords have 6 to 8 digits, by SHA1, SHA256 or SHA512",
                hint: "hsip secret totp NAME --set FILE"
            )
        case .counted:
            Failure(
                .malformed,
                code: "countedPassword",
                message: "passwords by counter (HOTP) are not made here, only those by time",
                hint: "ask the service for a time-based second factor"
            )
        case .outOfMemory: Failures.explain(ConsoleError.outOfMemory)
        }
    }
}
