internal import VaultCrypto

/// Reads JSON (RFC 8259) and decodes its strings in place, so that no string is copied.
struct JSONReader {
    private let limits: JSONLimits
    var place = 0
    private var values = 0
    /// The current line; line feeds occur only between values.
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

    /// Reads `-`, digits without a leading zero, a fraction, an exponent.
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

    /// Skips blanks, then the given character if it comes next; returns whether it did.
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

    func next(_ bytes: RawSpan) -> UInt8? {
        place < bytes.byteCount ? bytes.byte(at: place) : nil
    }

    var refusal: JSONError { .malformed(line: line) }
}

/// Why a text cannot be read as JSON, or a value cannot be written.
package enum JSONError: Error, Equatable, Sendable {
    /// The text is not exactly one JSON value in UTF-8, or an object has a name twice.
    ///
    /// `line` is the line where reading stopped, from 1; it is 1 for text that is not UTF-8 and for a name that occurs twice.
    case malformed(line: Int)
    /// Lists and objects nest deeper than `JSONLimits.depth`.
    case tooDeep
    /// The text has more values than `JSONLimits.values`.
    case tooManyValues
    /// A secret would be written into memory that is not locked.
    case secret
}

/// The limits on the work of a JSON reader; the caller limits the length of the text.
package struct JSONLimits: Sendable {
    /// How deep lists and objects may nest.
    package let depth: Int
    /// The number of values, with the values of members.
    package let values: Int

    package init(depth: Int = 64, values: Int = 1_000_000) {
        (self.depth, self.values) = (depth, values)
    }
}

/// A value of a JSON text as its range in the memory that was read.
///
/// Strings are decoded in place, so that a secret is never copied.
package indirect enum JSONPlace: Sendable {
    case null
    case bool(Bool)
    /// The digits as written.
    case number(Range<Int>)
    case text(Range<Int>)
    case list([JSONPlace])
    /// The members in the order of the text; a name may occur twice.
    case object([(name: Range<Int>, value: JSONPlace)])

    /// Reads a whole text and decodes its strings in place.
    ///
    /// The caller checks that the strings are UTF-8. A byte order mark before the value is skipped.
    ///
    /// - Throws: `malformed` for anything that is not exactly one JSON value (RFC 8259); `tooDeep`; `tooManyValues`.
    package init(reading bytes: inout MutableRawSpan, _ limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var reader = JSONReader(limits)
        self = try reader.whole(&bytes)
    }
}
