internal import VaultCrypto

/// Writes messages as text in three forms, and reads them (Schemas/hsip-xc1.md section 7).
///
/// Everything works on UTF-8 bytes: to Swift, a lock followed by a variation selector is another character.
public enum MessageText {
    /// 🔒, U+1F512.
    static let lock: [UInt8] = [0xF0, 0x9F, 0x94, 0x92]
    /// The start of the verbose form after the lock.
    static let bracket = Array("[HSIP".utf8)
    /// The longest text that is read, in bytes: a message of 1 MiB has 1.4 MiB of base64.
    public static let longestText = 2 << 20
    /// The number of base64 characters in the shortest and in the longest message.
    static let encodedSizes = 84...1_398_104

    /// A message in the compact form.
    public static func compact(_ envelope: MessageEnvelope) -> [UInt8] {
        StrictBase64.encodedBytes(envelope.bytes, after: lock)
    }

    /// A message in a form.
    ///
    /// - Throws: `malformed` for an id of a verbose message that is empty, longer than 36 characters, or not
    ///   of ASCII letters, digits, `-`, `_` and `.`.
    public static func write(_ envelope: MessageEnvelope, as form: MessageForm) throws(HSIPError) -> [UInt8] {
        switch form {
        case .compact: return compact(envelope)
        case .stealth: return StrictBase64.encodedBytes(envelope.bytes)
        case .verbose(let id):
            var head = "🔒 [HSIP Encrypted Message]\n"
            if let id {
                guard isGood(id: id) else { throw .malformed }
                head += "Decrypt: hsip://m/\(id)\nOr visit: hsip://decrypt?id=\(id)\n\n"
            }
            return Array(head.utf8) + StrictBase64.encodedBytes(envelope.bytes)
        }
    }

    private static func isGood(id: String) -> Bool {
        (1...MessageForm.longestID).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// Whether text seems to contain a message: a lock anywhere, or `[HSIP`.
    public static func hasMarker(_ text: [UInt8]) -> Bool {
        text.indices.contains {
            MessageFinder.has(lock, in: text, at: $0) || MessageFinder.has(bracket, in: text, at: $0)
        }
    }

    /// Reads one message in any of the three forms.
    ///
    /// First reads as upstream does. If text begins with a lock, its longest line counts (the last of equal
    /// ones), trimmed and without one lock. Other text is trimmed as a whole. If that is not a message, the
    /// first line or block that decodes counts, so longer ids and words around the message do no harm.
    ///
    /// - Throws: `unsupportedVersion` if only a message of a newer program was found; `malformedMessage` if
    ///   none was found, or for text above `longestText`.
    public static func parse(_ text: [UInt8]) throws(HSIPError) -> MessageEnvelope {
        guard text.count <= longestText else { throw .malformedMessage }
        let whole = read(upstreamCandidate(text))
        if let envelope = whole.envelope { return envelope }
        var isNewer = whole.isNewer
        for found in find(in: text, stealth: true) {
            if let envelope = found.envelope { return envelope }
            isNewer = isNewer || found.isNewer
        }
        throw isNewer ? .unsupportedVersion : .malformedMessage
    }

    /// Every message in pasted text, in order, damaged ones included; time grows with the text only.
    ///
    /// Compact messages are found anywhere, with a variation selector or spaces after the lock. Verbose
    /// messages are found as one range from their head to the end of their base64. A message may be wrapped into lines of one
    /// width, and quoted with `>`. Text above `longestText` is one damaged range.
    ///
    /// - Parameters:
    ///   - text: UTF-8; other bytes are ignored.
    ///   - stealth: whether to find base64 alone too. If such text does not decode, it is ordinary text, not
    ///     damaged.
    /// - Returns: the range of each message in `text`, and the message unless it is damaged.
    public static func find(in text: [UInt8], stealth: Bool) -> [FoundMessage] {
        guard text.count <= longestText else { return [FoundMessage(range: 0..<text.count, envelope: nil)] }
        var finder = MessageFinder(text: text, stealth: stealth)
        return finder.run()
    }

    /// The message in a run of base64, nil if it has no message; and whether a newer program wrote it.
    static func read(_ encoded: ArraySlice<UInt8>) -> (envelope: MessageEnvelope?, isNewer: Bool) {
        guard encodedSizes.contains(encoded.count), let bytes = StrictBase64.decode(encoded) else {
            return (nil, false)
        }
        do throws(HSIPError) {
            return (try MessageEnvelope(bytes: bytes), false)
        } catch {
            return (nil, error == .unsupportedVersion)
        }
    }

    /// The text that upstream would decode.
    private static func upstreamCandidate(_ text: [UInt8]) -> ArraySlice<UInt8> {
        guard text.starts(with: lock) else { return TextTrim.trimmed(text[...]) }
        var longest = text[..<0]
        var start = 0
        while start <= text.count {
            let end = text[start...].firstIndex(of: 0x0A) ?? text.count
            let line = text[start..<end]
            let isLonger = line.count - (line.last == 0x0D ? 1 : 0) >= longest.count
            if isLonger { longest = line.last == 0x0D ? line.dropLast() : line }
            start = end + 1
        }
        let trimmed = TextTrim.trimmed(longest)
        return trimmed.starts(with: lock) ? trimmed.dropFirst(lock.count) : trimmed
    }
}

/// The three forms of a message as text.
public enum MessageForm: Hashable, Sendable {
    /// `🔒` and base64; the usual form.
    case compact
    /// A title line, two lines with links if there is an id, then base64.
    case verbose(id: String?)
    /// Base64 alone.
    case stealth

    /// The longest id; with a longer one old programs mistake the link's line for the message.
    public static let longestID = 36
}

/// Trims Unicode white space at both ends of UTF-8 text.
enum TextTrim {
    /// The text without the White_Space characters at its ends.
    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while let length = (1...3).first(where: { isWhiteSpace(rest.prefix($0), $0) }) {
            rest = rest.dropFirst(length)
        }
        while let length = (1...3).first(where: { isWhiteSpace(rest.suffix($0), $0) }) {
            rest = rest.dropLast(length)
        }
        return rest
    }

    /// Whether these bytes are exactly one character of White_Space, `length` bytes long.
    private static func isWhiteSpace(_ bytes: ArraySlice<UInt8>, _ length: Int) -> Bool {
        guard bytes.count == length else { return false }
        let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch value {
        case 0x09...0x0D, 0x20: return length == 1
        // U+0085, U+00A0
        case 0xC285, 0xC2A0: return true
        // U+1680, U+2000 to 200A, 2028, 2029, 202F, 205F, 3000
        case 0xE19A80, 0xE28080...0xE2808A, 0xE280A8, 0xE280A9, 0xE280AF, 0xE2819F, 0xE38080: return true
        default: return false
        }
    }
}
