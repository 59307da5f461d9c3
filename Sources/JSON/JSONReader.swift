internal import VaultCrypto

/// Reads JSON (RFC 8259); texts are decoded where they stand, so that none is copied.
struct JSONReader {
    private let limits: JSONLimits
    private var place = 0
    private var values = 0
    /// A line feed stands between values only.
    private var line = 1

    init(_ limits: JSONLimits) { self.limits = limits }

    mutating func whole(_ bytes: inout MutableRawSpan) throws(JSONError) -> JSONPlace {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.byteCount >= 3, (0..<3).allSatisfy({ bytes.bytes.byte(at: $0) == mark[$0] }) { place = 3 }
        let value = try value(&bytes, depth: 0)
        skipBlanks(bytes.bytes)
        guard place == bytes.byteCount else { throw refusal }
        return value
    }

    private mutating func value(_ bytes: inout MutableRawSpan, depth: Int) throws(JSONError) -> JSONPlace {
        values += 1
        guard values <= limits.values else { throw .tooManyValues }
        skipBlanks(bytes.bytes)
        switch next(bytes.bytes) {
        case UInt8(ascii: "{"): return .object(try members(&bytes, depth))
        case UInt8(ascii: "["): return .list(try items(&bytes, depth))
        case UInt8(ascii: "\""): return .text(try text(&bytes))
        case UInt8(ascii: "t"): return try word("true", .bool(true), bytes.bytes)
        case UInt8(ascii: "f"): return try word("false", .bool(false), bytes.bytes)
        case UInt8(ascii: "n"): return try word("null", .null, bytes.bytes)
        default: return .number(try number(bytes.bytes))
        }
    }

    private mutating func members(
        _ bytes: inout MutableRawSpan,
        _ depth: Int
    ) throws(JSONError) -> [(name: Range<Int>, value: JSONPlace)] {
        guard depth < limits.depth else { throw .tooDeep }
        var members: [(name: Range<Int>, value: JSONPlace)] = []
        place += 1
        if take(UInt8(ascii: "}"), bytes.bytes) { return [] }
        repeat {
            skipBlanks(bytes.bytes)
            guard next(bytes.bytes) == UInt8(ascii: "\"") else { throw refusal }
            let name = try text(&bytes)
            guard take(UInt8(ascii: ":"), bytes.bytes) else { throw refusal }
            members.append((name, try value(&bytes, depth: depth + 1)))
        } while take(UInt8(ascii: ","), bytes.bytes)
        guard take(UInt8(ascii: "}"), bytes.bytes) else { throw refusal }
        return members
    }

    private mutating func items(_ bytes: inout MutableRawSpan, _ depth: Int) throws(JSONError) -> [JSONPlace]
    {
        guard depth < limits.depth else { throw .tooDeep }
        var items: [JSONPlace] = []
        place += 1
        if take(UInt8(ascii: "]"), bytes.bytes) { return [] }
        repeat {
            items.append(try value(&bytes, depth: depth + 1))
        } while take(UInt8(ascii: ","), bytes.bytes)
        guard take(UInt8(ascii: "]"), bytes.bytes) else { throw refusal }
        return items
    }

    /// A text after its opening quote, up to and with the closing one; what it stands for never has more bytes.
    private mutating func text(_ bytes: inout MutableRawSpan) throws(JSONError) -> Range<Int> {
        place += 1
        let start = place
        var end = start
        while let byte = next(bytes.bytes) {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<end
            case UInt8(ascii: "\\"):
                for byte in UTF8.encode(try escaped(bytes.bytes)) ?? UTF8.encodedReplacementCharacter {
                    bytes.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
                    end += 1
                }
            case 0x00...0x1F: throw refusal
            default:
                bytes.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
                end += 1
            }
        }
        throw refusal
    }

    private mutating func escaped(_ bytes: RawSpan) throws(JSONError) -> Unicode.Scalar {
        guard let sign = next(bytes) else { throw refusal }
        place += 1
        switch sign {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw refusal
        }
        // What lies beyond four digits is a pair of surrogates; one half alone is nothing.
        let first = try unit(bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), next(bytes) == UInt8(ascii: "\\") else { throw refusal }
        place += 1
        guard next(bytes) == UInt8(ascii: "u") else { throw refusal }
        place += 1
        let second = try unit(bytes)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw refusal }
        return scalar
    }

    private mutating func unit(_ bytes: RawSpan) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            switch next(bytes) {
            case let digit? where (0x30...0x39).contains(digit): unit = unit << 4 | UInt32(digit - 0x30)
            case let digit? where (0x41...0x46).contains(digit): unit = unit << 4 | UInt32(digit - 0x37)
            case let digit? where (0x61...0x66).contains(digit): unit = unit << 4 | UInt32(digit - 0x57)
            default: throw refusal
            }
            place += 1
        }
        return unit
    }

    /// `-`, digits without a zero before them, a fraction, an exponent.
    private mutating func number(_ bytes: RawSpan) throws(JSONError) -> Range<Int> {
        let start = place
        if next(bytes) == UInt8(ascii: "-") { place += 1 }
        let isZero = next(bytes) == UInt8(ascii: "0")
        guard try digits(bytes) == 1 || !isZero else { throw refusal }
        if next(bytes) == UInt8(ascii: ".") {
            place += 1
            _ = try digits(bytes)
        }
        if next(bytes) == UInt8(ascii: "e") || next(bytes) == UInt8(ascii: "E") {
            place += 1
            if next(bytes) == UInt8(ascii: "+") || next(bytes) == UInt8(ascii: "-") { place += 1 }
            _ = try digits(bytes)
        }
        return start..<place
    }

    private mutating func digits(_ bytes: RawSpan) throws(JSONError) -> Int {
        let start = place
        while let digit = next(bytes), (0x30...0x39).contains(digit) { place += 1 }
        guard place > start else { throw refusal }
        return place - start
    }

    private mutating func word(
        _ word: String,
        _ value: JSONPlace,
        _ bytes: RawSpan
    ) throws(JSONError) -> JSONPlace {
        for letter in word.utf8 {
            guard next(bytes) == letter else { throw refusal }
            place += 1
        }
        return value
    }

    /// Takes a sign if it comes next, whatever blanks are before it.
    private mutating func take(_ sign: UInt8, _ bytes: RawSpan) -> Bool {
        skipBlanks(bytes)
        guard next(bytes) == sign else { return false }
        place += 1
        return true
    }

    private mutating func skipBlanks(_ bytes: RawSpan) {
        while let byte = next(bytes), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            if byte == 0x0A { line += 1 }
            place += 1
        }
    }

    private func next(_ bytes: RawSpan) -> UInt8? {
        place < bytes.byteCount ? bytes.byte(at: place) : nil
    }

    private var refusal: JSONError { .malformed(line: line) }
}
