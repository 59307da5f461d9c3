internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// One message of a text, and its result.
struct Reading {
    /// The message's number in the text, from 1.
    let position: Int
    /// The message's bytes in the text.
    let range: Range<Int>
    /// The PeerID in the header.
    var peerID: PeerID?
    /// The sender; for a failed message, the contact in its header.
    var contact: String?
    /// The text; nil for the user's own message and for a failed one.
    var plaintext: Secret?
    /// Whether the message was read before; it is opened nevertheless.
    var isRepeated = false
    var notices: [Notice] = []
    /// Why the message failed.
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
    /// An error of the message becomes part of the reading; an error of the vault is thrown.
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

/// Prints opened messages: cleaned on a terminal, unchanged elsewhere.
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

    /// Prints a text; on a terminal, a message cannot move the cursor, hide text or reverse it.
    private func show(_ text: borrowing some ByteSource & ~Copyable) throws {
        try context.output.data(try context.output.display.text(text))
        if !Self.endsWithLineFeed(text) { try context.output.line("") }
    }

    /// The whole output in one piece of locked memory.
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
