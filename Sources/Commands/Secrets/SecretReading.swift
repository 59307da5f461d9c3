internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// Reads a value of a secret and puts it where the user wants it, for `hsip secret get`.
struct SecretReading: Runnable {
    /// The target for the value.
    enum Place {
        case output
        case clipboard(seconds: UInt32)
        case picture
        case file(String, replaces: Bool)
    }

    static let path = "secret get"
    static let readsOldCopies = true

    let name: String
    let field: String?
    let version: UInt32?
    let place: Place

    func run(_ context: Context) async throws {
        if case .file(let file, let replaces) = place { try NewFile.check(file, replaces: replaces) }
        let vault = try await context.openVault()
        let names = SecretNames(context, vault)
        let meant = try await names.meant(by: name)
        guard meant.field == nil || field == nil else {
            throw Failure.usage("the reference already names a field; leave out --field")
        }
        let field = field ?? meant.field
        let found = try await names.using(meant.name) { known in
            let secret = CredentialReference(known, field: field, version: version)
            do {
                return try await vault.credentialValue(secret)
            } catch VaultError.secret(.unknownField) {
                let display = context.output.display
                throw Failure(await CredentialError.unknownField(of: secret, in: vault, display))
            } catch {
                return try await SecretNames.explaining(known, context, excepting: true) { throw error }
            }
        }
        SecretCells.warnExpired(found.reference.name, found.expires, context)
        SecretCells.warnRenamed(found, context)
        if found.kind == .note,
            let details = try? await vault(Operations.credential, found.reference.name, .kept)
        {
            SecretCells.warnShare(details, context)
        }
        var (isGiven, isCopied, path) = (false, false, String?.none)
        switch place {
        case .output:
            try context.show(found.value)
            isGiven = true
        case .clipboard(let seconds):
            try context.copyForAWhile(found.value, seconds)
            isCopied = true
        case .picture: try paint(found.value, context)
        case .file(let file, let replaces):
            try OwnFile.write(found.value, to: file, force: replaces)
            path = file
        }
        // The value as text if it is text, and always in base64; null if it went elsewhere.
        try context.output.succeed([
            "name": .text(found.reference.name), "field": .optional(found.reference.field),
            "version": .optional(found.reference.version), "type": .text(found.kind.word),
            "expiresAt": .time(found.expires),
            "value": isGiven && JSONValue.isText(found.value) ? .secret(found.value) : .null,
            "valueBase64": isGiven ? .secretBase64(found.value) : .null,
            "file": .optional(path), "copied": .bool(isCopied),
        ])
    }

    /// Paints a value as a picture, only on request: hsip cannot wipe a copy on the screen.
    private func paint(_ value: Secret, _ context: Context) throws {
        guard let text = value.withBytes({ String(validating: $0.copied(), as: UTF8.self) }) else {
            throw Failure.usage("the value is not text, and --qr draws only text", hint: "-o FILE")
        }
        try context.paint(text)
    }
}

extension Context {
    /// Prints a value: byte for byte, on a terminal with a line feed after it.
    ///
    /// - Throws: `usage` for a value with bytes that would control a terminal.
    func show(_ value: Secret) throws {
        guard console.outputIsTerminal, !isJSON else { return try output.data(value) }
        guard Self.isPlain(value) else {
            throw Failure.usage(
                "the value is not plain text and could control the terminal",
                hint: "-o FILE, or a pipe"
            )
        }
        try output.data(value)
        let endsLine = value.count > 0 && value.withBytes { $0.byte(at: $0.byteCount - 1) == 0x0A }
        if !endsLine { try output.data([0x0A]) }
    }

    /// Whether a value is UTF-8 without control characters, except line feeds and tabs.
    private static func isPlain(_ value: Secret) -> Bool {
        guard JSONValue.isText(value) else { return false }
        return value.withBytes { span in
            var before: UInt8 = 0
            for place in 0..<span.byteCount {
                let byte = span.byte(at: place)
                // C0 and DEL; of C1, the second byte after C2.
                if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F { return false }
                if before == 0xC2, byte < 0xA0 { return false }
                before = byte
            }
            return true
        }
    }
}
