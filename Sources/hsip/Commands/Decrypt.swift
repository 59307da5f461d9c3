internal import ArgumentParser
internal import Console
internal import HSIP
internal import Programs
internal import VaultCrypto
internal import VaultKit

/// `hsip decrypt`: opens every message for me in a pasted text.
struct Decrypt: Command {
    static let path = "decrypt"
    static let configuration = CommandConfiguration(
        abstract: "Open the messages in a text: a chat, a mail, a file.",
        discussion: """
            Every message is opened once; --reread opens it again. Each text ends with a line feed, or with -0 \
            with a zero byte. A code inside a message is only reported; hsip accept takes it.

              hsip decrypt < chat.txt
              wl-paste | hsip decrypt
              hsip decrypt --inline chat.txt
            """
    )

    @Argument(help: "A file with messages; - is stdin.")
    var file: String?

    @Flag(help: "Print the whole text, with the messages in it replaced.")
    var inline = false

    @Flag(name: .customShort("0"), help: "End each text with a zero byte.")
    var endsWithZero = false

    @Option(
        help: ArgumentHelp("Whose key opens them: for old apps with a foreign header.", valueName: "name")
    )
    var from: String?

    @Flag(name: .customLong("reread"), help: "Also those that were read before.")
    var isReread = false

    @Flag(name: .customLong("stealth"), help: "Also base64 without a lock.")
    var isStealth = false

    @Flag(help: "Read the clipboard.")
    var paste = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to a file of mode 0600.", valueName: "file")
    )
    var output: String?

    @Flag(help: "Replace the file if it is there.")
    var force = false

    func run(_ context: Context) async throws {
        try NewFile.check(output, replaces: force)
        let text = try read(context)
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
            guard let first = failures.first else { throw VaultError.hsip(.noMessage) }
            guard !context.isJSON else { throw first }
            tellFailures(readings, context)
            context.exitStatus = first.status
            return
        }
        let presentation = ReadingOutput(context: context, text: text, readings: readings)
        if let output {
            try OwnFile.write(try presentation.all(inline, endsWithZero), to: output, force: force)
        } else {
            try presentation.print(inline, endsWithZero)
        }
        tellNotices(readings, context)
        tellFailures(readings, context)
        context.exitStatus = failures.first?.status ?? 0
        let whole: JSONValue = inline ? .secret(Secret(try presentation.all(true, false))) : .null
        try context.output.succeed(.readings(readings, exit: context.exitStatus, inline: whole))
    }

    private func read(_ context: Context) throws -> [UInt8] {
        guard file == nil || !paste else {
            throw Failure(.usage, code: "usage", message: "one place to read from, please")
        }
        if paste { return Array(try Clipboard(environment: context.environment).paste().utf8) }
        if let file {
            guard !MessageText.hasMarker(Array(file.utf8)) else {
                throw Failure(
                    .usage,
                    code: "usage",
                    message: "messages come from stdin, a file, or the clipboard",
                    hint: "hsip decrypt --paste"
                )
            }
            return try OwnFile.read(file, limit: MessageText.longestText)
        }
        guard context.surroundings.inputIsTerminal else {
            return try OwnFile.read("-", limit: MessageText.longestText)
        }
        guard let pasted = try context.terminal.askCode("Paste the messages:", flag: "FILE or stdin") else {
            throw ConsoleError.refused
        }
        return pasted
    }

    /// Each kind of note once, however many messages it is about; but every code is reported.
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
