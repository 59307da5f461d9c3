internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// One message of a text, and its result.
struct Reading {
    /// 1 for the first of the text.
    let position: Int
    /// Its bytes in the text.
    let range: Range<Int>
    /// Of the header.
    var peerID: PeerID?
    /// Who wrote it; of a message that failed, the contact in its header.
    var contact: String?
    /// The text; nil for my own and for one that failed.
    var plaintext: Secret?
    /// Read before, and opened all the same.
    var isRepeated = false
    var notices: [Notice] = []
    /// Why it failed.
    var failure: Failure?

    init(position: Int, range: Range<Int>) {
        self.position = position
        self.range = range
    }

    /// An element of `messages` of Schemas/cli/message.schema.json.
    var json: JSONValue {
        var carries = JSONValue.null
        for case .carries(let kind) in notices { carries = .text(kind.hrp) }
        return [
            "position": .integer(position),
            "state": failure != nil ? "failed" : plaintext != nil ? "opened" : "own",
            "contact": .optional(contact), "peerId": .optional(peerID?.text),
            "text": plaintext.map { .secret($0) } ?? .null, "repeated": .bool(isRepeated),
            "firstReadAt": nil,
            "mayHaveBeenReadBefore": .bool(notices.contains(.mayHaveBeenReadBefore)), "carries": carries,
            "error": failure.map { failure in
                [
                    "code": .text(failure.name), "exit": .integer(failure.exitCode),
                    "message": .text(failure.message),
                ]
            } ?? .null,
        ]
    }
}

extension Reading {
    /// Opens one message.
    ///
    /// What is wrong with the message is part of the reading; what is wrong with the vault is thrown.
    static func open(
        _ found: FoundMessage,
        position: Int,
        from alias: String?,
        isReread: Bool,
        _ context: Context,
        _ vault: any VaultService
    ) async throws -> Reading {
        var reading = Reading(position: position, range: found.range)
        reading.peerID = found.envelope?.sender
        do {
            guard let envelope = found.envelope else { throw VaultError.hsip(found.refusal) }
            let message = try await vault(Operations.decrypt, envelope, alias, isReread)
            reading.plaintext = message.plaintext
            reading.contact = message.contact
            reading.isRepeated = message.isReread
            reading.notices = message.notices
        } catch let error as VaultError {
            guard case .hsip = error else { throw error }
            reading.contact =
                if let alias { alias } else if let sender = reading.peerID {
                    try await vault(Operations.aliasOf, sender)
                } else {
                    nil
                }
            reading.failure = await context.explain(error, vault, about: reading.contact)
        }
        return reading
    }
}

/// What was read, for a person or for a pipe: cleaned on a terminal, untouched elsewhere.
struct ReadingOutput {
    let context: Context
    let text: [UInt8]
    let readings: [Reading]

    /// Prints the opened texts in order, or the whole text with them in it.
    func print(_ isInline: Bool, _ endsWithZero: Bool) throws {
        guard !context.isJSON else { return }
        guard context.console.outputIsTerminal else {
            return try context.output.data(try all(isInline, endsWithZero))
        }
        guard !isInline else { return try show(try all(true, false)) }
        for reading in readings {
            guard let plaintext = reading.plaintext else { continue }
            if let name = reading.contact { context.output.say("\(context.output.display.cell(name)):") }
            try show(plaintext)
        }
    }

    /// On a terminal nothing in a message moves the cursor, hides, or turns the text around.
    private func show(_ text: borrowing some ByteSource & ~Copyable) throws {
        try context.output.data(try context.output.display.text(text))
        if !Self.endsWithLineFeed(text) { try context.output.line("") }
    }

    /// All of it in one piece of locked memory.
    func all(_ isInline: Bool, _ endsWithZero: Bool) throws(ConsoleError) -> SecretBytes {
        let texts = readings.compactMap(\.plaintext)
        var out = try SecretBuffer(limit: texts.reduce(text.count + texts.count + 1) { $0 + $1.count })
        var place = 0
        for reading in readings {
            guard let plaintext = reading.plaintext else { continue }
            if isInline {
                for byte in text[place..<reading.range.lowerBound] { try out.append(byte) }
                place = reading.range.upperBound
            }
            try plaintext.withBytes { (bytes) throws(ConsoleError) in
                for index in 0..<bytes.byteCount { try out.append(bytes.byte(at: index)) }
            }
            if isInline { continue }
            if endsWithZero {
                try out.append(0)
            } else if !Self.endsWithLineFeed(plaintext) {
                try out.append(0x0A)
            }
        }
        if isInline { for byte in text[place...] { try out.append(byte) } }
        return try out.finish()
    }

    private static func endsWithLineFeed(_ text: borrowing some ByteSource & ~Copyable) -> Bool {
        text.withBytes { $0.byteCount > 0 && $0.byte(at: $0.byteCount - 1) == 0x0A }
    }
}
