internal import ArgumentParser
internal import Console
internal import Credentials
internal import Programs
internal import SafeText
internal import VaultCrypto
internal import VaultKit

/// `hsip secret get NAME`.
struct SecretGet: Command {
    static let path = "secret get"
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print one value of a secret, byte for byte, or copy it.",
        discussion: """
            On a terminal a line feed follows the value; anywhere else nothing is added. With --copy it goes to the \
            clipboard instead, which is emptied after 30 seconds if it still holds it.

              hsip secret get db/prod
              hsip secret get db/prod --field user
              hsip secret get db/prod --version 2
              hsip secret get db/prod --copy --clear 15s
              hsip secret get passport -o scan.pdf
            """
    )

    @Argument(help: "The secret.", completion: .secrets)
    var name: String

    @Argument(help: .hidden)
    var rest: [String] = []

    @Option(help: ArgumentHelp("The field; without it the one that the type means.", valueName: "name"))
    var field: String?

    @Option(help: ArgumentHelp("A version before the present one, by its number.", valueName: "number"))
    var version: UInt32?

    @OptionGroup
    var clipboard: ClipboardOptions

    @Flag(name: .customLong("qr"), help: "Paint it as a QR code on the terminal.")
    var qr = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write it to a file of mode 0600; - is stdout.", valueName: "file")
    )
    var output: String?

    @Flag(help: "Replace the file if it is there.")
    var force = false

    mutating func validate() throws { output = NewFile.named(output) }

    func run(_ context: Context) async throws {
        let seconds = try check(context)
        try NewFile.check(output, replaces: force)
        let vault = try await context.openVault()
        let found = try await SecretNames(context, vault).using(name) { known in
            try await SecretNames.explaining(known, context, excepting: true) {
                try await vault.credentialValue(
                    CredentialReference(known, field: field, version: version)
                )
            }
        }
        SecretCells.warnExpired(found.reference.name, found.expires, context)
        if clipboard.copy {
            try context.copyForAWhile(found.value, seconds)
        } else if let output {
            try OwnFile.write(found.value, to: output, force: force)
        } else if qr {
            try paint(found.value, context)
        } else {
            try show(found.value, context)
        }
        try context.output.succeed(
            .secretValue(
                found,
                isGiven: !clipboard.copy && output == nil && !qr,
                file: output,
                isCopied: clipboard.copy
            )
        )
    }

    /// How many seconds the clipboard keeps it.
    private func check(_ context: Context) throws -> UInt32 {
        guard rest.isEmpty else { throw SecretNames.valueOnCommandLine }
        guard [clipboard.copy, qr, output != nil].filter({ $0 }).count < 2 else {
            throw Failure(
                .usage,
                code: "usage",
                message: "one place for the value, please: --copy, --qr or -o"
            )
        }
        guard !qr || context.surroundings.outputIsTerminal else {
            throw Failure(.usage, code: "usage", message: "--qr paints on a terminal")
        }
        return try clipboard.seconds()
    }

    private func show(_ value: Secret, _ context: Context) throws {
        guard context.surroundings.outputIsTerminal, !context.isJSON else {
            return try context.output.data(value)
        }
        guard Self.isPlain(value) else {
            throw Failure(
                .usage,
                code: "usage",
                message: "the value is no plain text, and a terminal would act on it",
                hint: "-o FILE, or a pipe"
            )
        }
        try context.output.data(value)
        let endsLine = value.count > 0 && value.withBytes { $0.byte(at: $0.byteCount - 1) == 0x0A }
        if !endsLine { try context.output.data([0x0A]) }
    }

    /// UTF-8 in which a terminal finds nothing to obey but line feeds and tabs.
    private static func isPlain(_ value: Secret) -> Bool {
        guard JSONValue.isText(value) else { return false }
        return value.withBytes { span in
            var before: UInt8 = 0
            for place in 0..<span.byteCount {
                let byte = span.byte(at: place)
                // C0 and DEL; of C1, the second byte behind C2.
                if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F { return false }
                if before == 0xC2, byte < 0xA0 { return false }
                before = byte
            }
            return true
        }
    }

    /// A picture on the screen is a copy that nobody can wipe: whoever asks for one has it.
    private func paint(_ value: Secret, _ context: Context) throws {
        guard let text = value.withBytes({ String(validating: $0.copied(), as: UTF8.self) }) else {
            throw Failure(
                .usage,
                code: "usage",
                message: "only text is painted as a QR code",
                hint: "-o FILE"
            )
        }
        try context.paint(text)
    }
}
