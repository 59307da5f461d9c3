/// Reads a table of comma-separated values (RFC 4180) row by row; quoted values may hold line feeds.
///
/// A quote within an unquoted value is taken as it is; one that is never closed, or is followed by anything but a
/// separator, ends the reading.
struct CSVReader {
    /// A value as it stands, without the quotes around it.
    struct Cell {
        let range: Range<Int>
        /// Whether quotes stand in it, each written twice.
        let hasQuotes: Bool
    }

    /// A row: its values, and the line in which it began.
    struct Row {
        let line: Int
        let cells: [Cell]
    }

    let separator: UInt8
    private var place: Int
    /// The line of `place`; counted while it is read, as what was read is decoded where it stands.
    private var line = 1

    /// Reads from the beginning, after a byte order mark.
    init(_ bytes: DocumentBytes, separator: UInt8 = UInt8(ascii: ",")) {
        self.separator = separator
        place = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
    }

    /// The next row that is not blank; nil at the end.
    ///
    /// - Throws: `malformed` for a quote that is not closed; `tooLarge` for too many columns.
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

    /// The bytes that a cell stands for, decoded where they are.
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
        // Behind a cell stands a separator or the end of a line, and the separator was taken.
        let hadReturn = take(0x0D, bytes)
        if take(0x0A, bytes) || hadReturn { line += 1 }
    }
}
