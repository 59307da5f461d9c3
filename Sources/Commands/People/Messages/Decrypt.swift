internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import VaultCrypto
internal import VaultKit

/// `hsip decrypt`: opens every message for me in a pasted text, or a file that was sealed for me.
struct Decrypt: Command {
    static let path = "decrypt"
    static let configuration = CommandConfiguration(
        abstract: "Decrypt messages in a text, or a file sent to you.",
        discussion: """
            hsip opens every message once; --reread opens it again. A file from hsip encrypt --file \
            opens as often as you like while its key is here.

              wl-paste | hsip decrypt
              hsip decrypt photos.tar.hsip -o photos.tar
            """
    )

    @Argument(help: "A file with messages, or a sealed one; - is stdin.", completion: .file())
    var file: String?

    @Flag(help: "Print the whole text, with the messages in it replaced.")
    var inline = false

    @Flag(name: .customShort("0"), help: "End each text with a zero byte.")
    var endsWithZero = false

    @Option(
        help: ArgumentHelp(
            "The contact whose key to use: for old apps with a foreign header.",
            valueName: "name"
        )
    )
    var from: String?

    @Flag(name: .customLong("reread"), help: "Also open messages that you have read before.")
    var isReread = false

    @Flag(name: .customLong("stealth"), help: "Also read base64 without the lock character.")
    var isStealth = false

    @Flag(help: "Read the clipboard.")
    var paste = false

    @OptionGroup var target: NewFileOptions

    func run(_ context: Context) async throws {
        try target.check()
        let text: [UInt8]
        switch try read(context) {
        case .text(let bytes): text = bytes
        case .parcel: throw Self.isParcel
        case .sealed(let source, let file):
            defer { withExtendedLifetime(file) {} }
            try checkSealed()
            let opening = FileOpening(source: source, from: from, target: target)
            return try await opening.run(context)
        }
        let vault = try await context.openVault()
        var alias: String?
        if let from { alias = try await ContactNames(context, vault).resolve(from).alias }
        var readings: [Reading] = []
        for (index, found) in MessageText.find(in: text, stealth: isStealth).enumerated() {
            let reading = try await Reading.open(
                found,
                position: index + 1,
                from: alias,
                isReread: isReread,
                context,
                vault
            )
            readings.append(reading)
        }
        let failures = readings.compactMap(\.failure)
        guard readings.contains(where: { $0.plaintext != nil }) else {
            guard let first = failures.first else {
                guard ParcelText.find(in: text).isEmpty else { throw Self.isParcel }
                guard readings.isEmpty else { throw Self.isOwn }
                throw VaultError.hsip(.noMessage)
            }
            guard !context.isJSON else { throw first }
            tellFailures(readings, context)
            context.exitStatus = first.exitCode
            return
        }
        let presentation = ReadingOutput(context: context, text: text, readings: readings)
        if target.path == nil {
            try presentation.print(inline, endsWithZero)
        } else {
            try target.write(try presentation.all(inline, endsWithZero), context)
        }
        tellNotices(readings, context)
        tellFailures(readings, context)
        context.exitStatus = failures.first?.exitCode ?? 0
        let whole: JSONValue = inline ? .secret(Secret(try presentation.all(true, false))) : .null
        try context.output.succeed([
            "messages": .list(readings.map(\.json)),
            "opened": .integer(readings.count { $0.plaintext != nil }), "failed": .integer(failures.count),
            "exit": .integer(context.exitStatus), "inline": whole,
        ])
    }

    private static let isParcel = Failure(
        .malformedMessage,
        "the text has a secret for your vault, not a message",
        hint: "hsip accept"
    )

    /// The failure for the user's own message: its header names the sender alone, so its recipient is unknown.
    private static let isOwn = Failure(
        .noMessage,
        "you sent this message yourself; only the contact it was sent to can open it"
    )

    private func checkSealed() throws(Failure) {
        guard !(inline || endsWithZero || isStealth) else {
            throw Failure.usage(
                "this is a sealed file, not a text with messages in it",
                hint: "hsip decrypt FILE -o FILE"
            )
        }
    }

    /// Prints each kind of note once for all messages, but reports every code.
    private func tellNotices(_ readings: [Reading], _ context: Context) {
        var told: Set<String> = []
        for reading in readings {
            let fresh = reading.notices.filter { notice in
                told.insert("\(reading.contact ?? "") \(notice)").inserted
            }
            context.output.tell(fresh, about: reading.contact, reading.peerID)
        }
    }

    private func tellFailures(_ readings: [Reading], _ context: Context) {
        guard !context.isJSON else { return }
        for reading in readings {
            guard var failure = reading.failure else { continue }
            if readings.count > 1 {
                failure.message = "message \(reading.position) of \(readings.count): \(failure.message)"
            }
            _ = context.output.fail(failure)
        }
    }
}
