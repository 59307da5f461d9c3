internal import SafeText

/// A table: aligned columns for people, tab-separated values for scripts.
///
/// The order of the columns is a promise within a major version: new ones are added at the end.
package struct Table: Equatable, Sendable {
    /// A window narrower than this gets this width; its lines wrap.
    package static let leastColumns = 60
    /// A cut cell keeps at least this many columns.
    private static let leastCell = 8

    package let columns: [Column]
    package private(set) var rows: [[Cell]] = []

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row; missing cells are empty, surplus ones are dropped.
    package mutating func add(_ cells: [Cell]) {
        let missing = max(0, columns.count - cells.count)
        rows.append(Array(cells.prefix(columns.count)) + Array(repeating: Cell(""), count: missing))
    }

    /// For a terminal: a bold heading, two spaces between the columns, no boxes.
    ///
    /// The first column is never cut. Where the window is too narrow, the widest of the others are cut in the
    /// middle, down to 8 columns each.
    package func rendered(width: Int, style: Style = .plain, isUTF8: Bool = true) -> String {
        guard !rows.isEmpty else { return "" }
        let widths = fitted(to: max(width, Self.leastColumns))
        let heading = columns.map { Cell($0.title.uppercased(), tone: .heading) }
        var out = ""
        for row in [heading] + rows {
            out += line(row, widths, style: style, ellipsis: isUTF8 ? "…" : "...") + "\n"
        }
        return out
    }

    /// For people who hear or enlarge the screen: `name: value` lines, an empty line between the rows.
    package func listed(style: Style = .plain) -> String {
        rows.map { row in
            zip(columns, row).map { column, cell in
                "\(column.title.lowercased()): \(style.paint(cell.shown, cell.tone))\n"
            }.joined()
        }.joined(separator: "\n")
    }

    /// For scripts: no heading, full values, `\t`, `\n` and `\\` written with a backslash.
    package func separated() -> String {
        rows.map { row in row.map { Self.escaped($0.value) }.joined(separator: "\t") + "\n" }.joined()
    }

    /// One value as the tab-separated form writes it.
    package static func escaped(_ value: String) -> String {
        var out = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\t": out += "\\t"
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    private func fitted(to width: Int) -> [Int] {
        var widths = columns.indices.map { index in
            rows.map { TextWidth.of($0[index].shown) }.reduce(TextWidth.of(columns[index].title), max)
        }
        var surplus = widths.reduce(0, +) + 2 * (widths.count - 1) - width
        while surplus > 0 {
            // The widest column that may be cut gives a column away; the later one on a tie.
            let candidates = widths.indices.dropFirst().filter { widths[$0] > Self.leastCell }
            guard let widest = candidates.max(by: { (widths[$0], $0) < (widths[$1], $1) }) else { break }
            widths[widest] -= 1
            surplus -= 1
        }
        return widths
    }

    private func line(_ row: [Cell], _ widths: [Int], style: Style, ellipsis: String) -> String {
        var out = ""
        for (index, cell) in row.enumerated() {
            let text = MiddleCut.cut(cell.shown, to: widths[index], ellipsis: ellipsis)
            let padding = String(repeating: " ", count: max(0, widths[index] - TextWidth.of(text)))
            let painted = style.paint(text, cell.tone)
            out += index == 0 ? "" : "  "
            switch columns[index].alignment {
            case .right: out += padding + painted
            case .left: out += index == row.count - 1 ? painted : painted + padding
            }
        }
        return out
    }
}
