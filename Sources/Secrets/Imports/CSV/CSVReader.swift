/// Reads a table of comma-separated values (RFC 4180) row by row; quoted values may hold line feeds.
///
/// A quote inside an unquoted value is an ordinary character. The reader refuses a quoted value that is not closed, or
/// that is followed by anything but a separator or the end of a line.
struct CSVReader {
    /// A value as the document has it, without the quotes around it.
    struct Cell {
        let range: Range<Int>
        /// Whether the value contains quotes, each written twice.
        let hasQuotes: Bool
    }

    /// The values of a row, and the line where the row begins.
    struct Row {
        let line: Int
        let cells: [Cell]
    }

    let separator: UInt8
    private var place: Int
    /// The line of `place`, counted during reading: decoding a value later overwrites its bytes.
    private var line = 1

    /// Starts at the beginning, after a byte order mark.
    init(_ bytes: DocumentBytes, separator: UInt8 = UInt8(ascii: ",")) {
        self.separator = separator
        place = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
    }

    /// Returns the next row that is not blank; nil at the end.
    ///
    /// - Throws: `malformed` for a quoted value with a wrong end; `tooLarge` for too many columns.
    mutating func row(of bytes: DocumentBytes) throws(ImportError) -> Row? {
        while place < bytes.count {
            let start = line
            var cells: [Cell] = []
            repeat {
                guard cells.count < ImportLimits.columns else { throw .tooLarge }
                cells.append(try cell(of: bytes))
            } while take(separator, bytes)
            endLine(bytes)
            guard cells.count == 1, cells[0].range.isEmpty else { return Row(line: start, cells: cells) }
        }
        return nil
    }

    /// Decodes a cell in place: overwrites its bytes with the value, and returns the range of the value.
    static func value(of cell: Cell, in bytes: DocumentBytes) -> Range<Int> {
        guard cell.hasQuotes else { return cell.range }
        var (from, to) = (cell.range.lowerBound, cell.range.lowerBound)
        while from < cell.range.upperBound {
            bytes[to] = bytes[from]
            from += bytes[from] == quote ? 2 : 1
            to += 1
        }
        return cell.range.lowerBound..<to
    }

    private static let quote = UInt8(ascii: "\"")

    private mutating func cell(of bytes: DocumentBytes) throws(ImportError) -> Cell {
        guard place < bytes.count, bytes[place] == Self.quote else {
            let start = place
            while place < bytes.count, bytes[place] != separator, !isLineEnd(bytes[place]) { place += 1 }
            return Cell(range: start..<place, hasQuotes: false)
        }
        let (start, startLine) = (place + 1, line)
        var hasQuotes = false
        place = start
        while place < bytes.count {
            guard bytes[place] == Self.quote else {
                if bytes[place] == 0x0A { line += 1 }
                place += 1
                continue
            }
            guard place + 1 < bytes.count, bytes[place + 1] == Self.quote else {
                let cell = Cell(range: start..<place, hasQuotes: hasQuotes)
                place += 1
                guard place == bytes.count || bytes[place] == separator || isLineEnd(bytes[place]) else {
                    throw .malformed(line: line)
                }
                return cell
            }
            hasQuotes = true
            place += 2
        }
        throw .malformed(line: startLine)
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private mutating func take(_ byte: UInt8, _ bytes: DocumentBytes) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func endLine(_ bytes: DocumentBytes) {
        // The caller consumed any separator, so only the end of a line or of the document can follow.
        let hadReturn = take(0x0D, bytes)
        if take(0x0A, bytes) || hadReturn { line += 1 }
    }
}
