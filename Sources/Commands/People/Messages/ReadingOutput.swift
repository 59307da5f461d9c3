internal import Presentation
internal import System
internal import Text
internal import VaultCrypto

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
