/// Reads a file of variables, byte by byte.
struct VariableReader {
    private let text: [UInt8]
    private var place: Int
    private var line = 1

    init(_ text: [UInt8]) {
        self.text = text
        place = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Returns the next variable; nil at the end.
    mutating func next() throws(VariableFileError) -> VariableFile.Variable? {
        while place < text.count {
            skipBlanks()
            guard place < text.count, !isLineEnd, text[place] != UInt8(ascii: "#") else {
                endLine()
                continue
            }
            let start = line
            let name = word()
            skipBlanks()
            guard VariableFile.isName(name), take("=") else { throw .malformed(line: start) }
            skipBlanks()
            let value = try value()
            guard !name.contains(0), !value.contains(0) else { throw .malformed(line: start) }
            endLine()
            return VariableFile.Variable(name: name, value: value)
        }
        return nil
    }

    /// Reads the name; a word `export` before it is ignored.
    private mutating func word() -> [UInt8] {
        let first = bareWord()
        let end = place
        skipBlanks()
        guard first == Array("export".utf8), place > end, place < text.count,
            VariableFile.isName(text[place...].prefix(1))
        else { return first }
        return bareWord()
    }

    private mutating func bareWord() -> [UInt8] {
        let start = place
        while place < text.count, !isBlank, !isLineEnd, text[place] != UInt8(ascii: "=") { place += 1 }
        return Array(text[start..<place])
    }

    private mutating func value() throws(VariableFileError) -> [UInt8] {
        guard place < text.count else { return [] }
        switch text[place] {
        case UInt8(ascii: "'"): return try quoted(UInt8(ascii: "'"), hasEscapes: false)
        case UInt8(ascii: "\""): return try quoted(UInt8(ascii: "\""), hasEscapes: true)
        default: return bareValue()
        }
    }

    /// Reads up to the end of the line, or to a `#` after a blank; blanks at the end are dropped.
    private mutating func bareValue() -> [UInt8] {
        let start = place
        var end = place
        while place < text.count, !isLineEnd {
            if text[place] == UInt8(ascii: "#"), place == start || Self.isBlank(text[place - 1]) { break }
            place += 1
            if !Self.isBlank(text[place - 1]) { end = place }
        }
        return Array(text[start..<end])
    }

    /// Reads a value between quotes, which may have several lines; only a comment may follow it.
    private mutating func quoted(_ quote: UInt8, hasEscapes: Bool) throws(VariableFileError) -> [UInt8] {
        let start = line
        var value: [UInt8] = []
        place += 1
        while place < text.count, text[place] != quote {
            if hasEscapes, text[place] == UInt8(ascii: "\\"), place + 1 < text.count {
                value += Self.escaped(text[place + 1])
                if text[place + 1] == 0x0A { line += 1 }
                place += 2
                continue
            }
            if text[place] == 0x0A { line += 1 }
            value.append(text[place])
            place += 1
        }
        guard place < text.count else { throw .malformed(line: start) }
        place += 1
        let close = place
        skipBlanks()
        let isComment = place > close && place < text.count && text[place] == UInt8(ascii: "#")
        guard place == text.count || isLineEnd || isComment else { throw .malformed(line: line) }
        return value
    }

    /// The meaning of a backslash and a character between double quotes; an unknown pair stays unchanged.
    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "n"): [0x0A]
        case UInt8(ascii: "r"): [0x0D]
        case UInt8(ascii: "t"): [0x09]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): [byte]
        default: [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard place < text.count, text[place] == UInt8(ascii: sign) else { return false }
        place += 1
        return true
    }

    private mutating func skipBlanks() {
        while place < text.count, isBlank { place += 1 }
    }

    /// Skips the rest of a line.
    private mutating func endLine() {
        while place < text.count, text[place] != 0x0A { place += 1 }
        if place < text.count {
            place += 1
            line += 1
        }
    }

    private var isBlank: Bool { Self.isBlank(text[place]) }

    private var isLineEnd: Bool {
        text[place] == 0x0A || text[place] == 0x0D && (place + 1 == text.count || text[place + 1] == 0x0A)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// A file of variables in the format of dotenv: lines `NAME=VALUE`, with `export`, quotes and comments.
///
/// The file is never executed or expanded: `$` is an ordinary character.
public struct VariableFile: Sendable, Equatable {
    /// One variable.
    public struct Variable: Sendable, Equatable {
        /// The name: a letter or underscore, then letters, digits and underscores.
        public let name: [UInt8]
        /// The value without quotes and with decoded escapes.
        public let value: [UInt8]
    }

    /// The variables in their order; if a name repeats, the last value is used.
    public let variables: [Variable]

    /// Reads a file.
    ///
    /// - Throws: `malformed` with the first line that is not a variable; for an unclosed quote, the line where it opens.
    public init(reading text: [UInt8]) throws(VariableFileError) {
        var reader = VariableReader(text)
        var variables: [Variable] = []
        while let variable = try reader.next() { variables.append(variable) }
        self.variables = variables
    }

    /// Whether a name is valid: a letter or an underscore, then letters, digits and underscores.
    public static func isName(_ name: some Collection<UInt8>) -> Bool {
        guard let first = name.first, !(0x30...0x39).contains(first) else { return false }
        return name.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x5F
        }
    }
}

/// The reason why a file of variables cannot be read.
public enum VariableFileError: Error, Equatable, Sendable {
    /// This line is not `NAME=VALUE`.
    case malformed(line: Int)
}
