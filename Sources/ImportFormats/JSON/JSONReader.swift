/// Reads JSON (RFC 8259) out of locked memory; texts are decoded where they stand, so that none is copied.
struct JSONReader {
    private var place: Int
    private var nodes = 0
    private var lines = LineCount()

    /// Reads a whole text.
    ///
    /// - Throws: `malformed` for anything that is not exactly one value; `tooDeep`; `tooLarge` for too many values.
    static func value(of bytes: DocumentBytes) throws(ImportError) -> JSONNode {
        var reader = JSONReader(place: bytes.has("\u{FEFF}", at: 0) ? 3 : 0)
        let value = try reader.value(bytes, depth: 0)
        reader.skipBlanks(bytes)
        guard reader.place == bytes.count else { throw reader.refusal(bytes) }
        return value
    }

    private init(place: Int) { self.place = place }

    private mutating func value(_ bytes: DocumentBytes, depth: Int) throws(ImportError) -> JSONNode {
        guard depth < ImportLimits.depth else { throw .tooDeep }
        nodes += 1
        guard nodes <= ImportLimits.nodes else { throw .tooLarge }
        skipBlanks(bytes)
        guard place < bytes.count else { throw refusal(bytes) }
        switch bytes[place] {
        case UInt8(ascii: "{"): return try object(bytes, depth)
        case UInt8(ascii: "["): return try list(bytes, depth)
        case UInt8(ascii: "\""): return .text(try text(bytes))
        case UInt8(ascii: "t"): return try word("true", .bool(true), bytes)
        case UInt8(ascii: "f"): return try word("false", .bool(false), bytes)
        case UInt8(ascii: "n"): return try word("null", .null, bytes)
        default: return try number(bytes)
        }
    }

    private mutating func object(_ bytes: DocumentBytes, _ depth: Int) throws(ImportError) -> JSONNode {
        var members: [(name: Range<Int>, value: JSONNode)] = []
        place += 1
        if take("}", bytes) { return .object([]) }
        repeat {
            skipBlanks(bytes)
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw refusal(bytes) }
            let name = try text(bytes)
            guard take(":", bytes) else { throw refusal(bytes) }
            members.append((name, try value(bytes, depth: depth + 1)))
        } while take(",", bytes)
        guard take("}", bytes) else { throw refusal(bytes) }
        return .object(members)
    }

    private mutating func list(_ bytes: DocumentBytes, _ depth: Int) throws(ImportError) -> JSONNode {
        var items: [JSONNode] = []
        place += 1
        if take("]", bytes) { return .list([]) }
        repeat { items.append(try value(bytes, depth: depth + 1)) } while take(",", bytes)
        guard take("]", bytes) else { throw refusal(bytes) }
        return .list(items)
    }

    /// A text behind its opening quote, up to and with the closing one.
    private mutating func text(_ bytes: DocumentBytes) throws(ImportError) -> Range<Int> {
        place += 1
        let start = place
        var end = start
        lines.advance(to: start, bytes)
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return start..<end
            case UInt8(ascii: "\\"):
                end = try escape(bytes, to: end)
                lines.pass(to: place)
            case 0x00...0x1F: throw refusal(bytes)
            default:
                bytes[end] = byte
                end += 1
                place += 1
            }
        }
        throw refusal(bytes)
    }

    private mutating func escape(_ bytes: DocumentBytes, to end: Int) throws(ImportError) -> Int {
        guard place + 1 < bytes.count else { throw refusal(bytes) }
        let plain: Unicode.Scalar
        switch bytes[place + 1] {
        case UInt8(ascii: "\""): plain = "\""
        case UInt8(ascii: "\\"): plain = "\\"
        case UInt8(ascii: "/"): plain = "/"
        case UInt8(ascii: "b"): plain = "\u{8}"
        case UInt8(ascii: "f"): plain = "\u{C}"
        case UInt8(ascii: "n"): plain = "\n"
        case UInt8(ascii: "r"): plain = "\r"
        case UInt8(ascii: "t"): plain = "\t"
        case UInt8(ascii: "u"):
            let scalar = try scalar(bytes)
            return bytes.write(scalar, at: end)
        default: throw refusal(bytes)
        }
        place += 2
        return bytes.write(plain, at: end)
    }

    /// `\u` and four digits; two of them for what lies beyond them (a pair of surrogates), never one half alone.
    private mutating func scalar(_ bytes: DocumentBytes) throws(ImportError) -> Unicode.Scalar {
        let first = try unit(bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), bytes.has("\\u", at: place) else { throw refusal(bytes) }
        let second = try unit(bytes)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw refusal(bytes) }
        return scalar
    }

    private mutating func unit(_ bytes: DocumentBytes) throws(ImportError) -> UInt32 {
        guard place + 6 <= bytes.count else { throw refusal(bytes) }
        var number: UInt32 = 0
        for index in place + 2..<place + 6 {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80
            else { throw refusal(bytes) }
            number = number << 4 | UInt32(digit)
        }
        place += 6
        return number
    }

    private mutating func number(_ bytes: DocumentBytes) throws(ImportError) -> JSONNode {
        let start = place
        while place < bytes.count, Self.isNumeric(bytes[place]) { place += 1 }
        guard place > start, bytes[start] == 0x2D || (0x30...0x39).contains(bytes[start]) else {
            throw refusal(bytes)
        }
        return .number(start..<place)
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2B || byte == 0x2E || byte == 0x65
            || byte == 0x45
    }

    private mutating func word(
        _ letters: StaticString,
        _ value: JSONNode,
        _ bytes: DocumentBytes
    ) throws(ImportError) -> JSONNode {
        guard bytes.has(letters, at: place) else { throw refusal(bytes) }
        place += letters.utf8CodeUnitCount
        return value
    }

    private mutating func take(_ sign: StaticString, _ bytes: DocumentBytes) -> Bool {
        skipBlanks(bytes)
        guard bytes.has(sign, at: place) else { return false }
        place += 1
        return true
    }

    private mutating func skipBlanks(_ bytes: DocumentBytes) {
        while place < bytes.count, DocumentBytes.isBlank(bytes[place]) { place += 1 }
    }

    private func refusal(_ bytes: DocumentBytes) -> ImportError {
        .malformed(line: lines.line(of: place, bytes))
    }
}
