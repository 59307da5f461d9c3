internal import Text

/// A table: aligned columns for people, tab-separated values for scripts.
///
/// The order of the columns is stable within a major version: new columns are added at the end.
package struct Table: Equatable, Sendable {
    /// The least width; the lines of a narrower window wrap.
    package static let leastColumns = 60
    /// A cut cell keeps at least this many columns.
    private static let leastCell = 8

    package let columns: [Column]
    package private(set) var rows: [[Cell]] = []

    package init(_ columns: [Column], rows: [[Cell]] = []) {
        self.columns = columns
        for cells in rows { add(cells) }
    }

    /// Adds a row; missing cells are empty, and extra cells are dropped.
    package mutating func add(_ cells: [Cell]) {
        let missing = max(0, columns.count - cells.count)
        rows.append(Array(cells.prefix(columns.count)) + Array(repeating: Cell(""), count: missing))
    }

    /// Renders for a terminal: a bold heading, two spaces between columns, no boxes.
    ///
    /// The first column is never cut. If the window is too narrow, the other columns are wrapped or cut, as each
    /// allows, and then some are omitted. If that does not suffice, the table becomes a list, so that no text to type
    /// is cut.
    package func rendered(width: Int, style: Style = .plain, isUTF8: Bool = true) -> String {
        guard !rows.isEmpty else { return "" }
        guard let layout = layout(for: max(width, Self.leastColumns)) else { return listed(style: style) }
        let heading = columns.map { Cell($0.title.uppercased(), tone: .heading) }
        var out = ""
        for row in [heading] + rows {
            out += line(row, layout, style: style, ellipsis: isUTF8 ? "…" : "...")
        }
        return out
    }

    /// Renders for screen readers and magnifiers: `name: value` lines, with an empty line between rows.
    package func listed(style: Style = .plain) -> String {
        rows.map { row in
            zip(columns, row).map { column, cell in
                "\(column.title.lowercased()): \(style.paint(cell.shown, cell.tone))\n"
            }.joined()
        }.joined(separator: "\n")
    }

    /// Renders for scripts: without a heading, full values, with `\t`, `
    /// ` and `\\` escaped by a backslash.
    package func separated() -> String {
        rows.map { row in row.map { Self.escaped($0.value) }.joined(separator: "\t") + "\n" }.joined()
    }

    /// Escapes one value for the tab-separated form.
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

    /// A shown column and its width.
    private struct Place {
        let index: Int
        var width: Int
    }

    /// Returns the shown columns; nil if even the fewest are too wide.
    private func layout(for width: Int) -> [Place]? {
        var shown = columns.indices.map { Place(index: $0, width: naturalWidth(of: $0)) }
        while true {
            if let fitted = fitted(shown, to: width) { return fitted }
            guard
                let spare = shown.indices.filter({ columns[shown[$0].index].spare > 0 })
                    .max(by: { columns[shown[$0].index].spare < columns[shown[$1].index].spare })
            else { return nil }
            shown.remove(at: spare)
        }
    }

    private func naturalWidth(of index: Int) -> Int {
        rows.map { TextWidth.of($0[index].shown) }.reduce(TextWidth.of(columns[index].title), max)
    }

    /// Fits columns into a width; nil if they cannot be made narrow enough.
    private func fitted(_ shown: [Place], to width: Int) -> [Place]? {
        var shown = shown
        var surplus = shown.reduce(0) { $0 + $1.width } + 2 * (shown.count - 1) - width
        let least = shown.map { self.least(of: $0.index) }
        while surplus > 0 {
            // The widest column that may be narrower gives a column away; the later one on a tie.
            let candidates = shown.indices.filter { shown[$0].width > least[$0] }
            guard
                let widest = candidates.max(by: {
                    (shown[$0].width, shown[$0].index) < (shown[$1].width, shown[$1].index)
                })
            else { return nil }
            shown[widest].width -= 1
            surplus -= 1
        }
        return shown
    }

    /// How narrow a column may become.
    private func least(of index: Int) -> Int {
        let natural = naturalWidth(of: index)
        guard index > 0 else { return natural }
        switch columns[index].fit {
        case .whole: return natural
        case .cut: return min(natural, Self.leastCell)
        case .wrapped:
            let pieces = rows.map { LineWrap.widestPiece(of: $0[index].shown) }
            return pieces.reduce(max(TextWidth.of(columns[index].title), Self.leastCell), max)
        }
    }

    /// A row, which takes several lines where cells are wrapped.
    private func line(_ row: [Cell], _ layout: [Place], style: Style, ellipsis: String) -> String {
        let cells = layout.map { place -> [String] in
            let text = row[place.index].shown
            guard columns[place.index].fit == .wrapped else {
                return [MiddleCut.cut(text, to: place.width, ellipsis: ellipsis)]
            }
            return LineWrap.lines(text, to: place.width)
        }
        var out = ""
        for number in 0..<(cells.map(\.count).max() ?? 0) {
            var line = ""
            for (place, texts) in zip(layout, cells) {
                let text = number < texts.count ? texts[number] : ""
                let padding = String(repeating: " ", count: max(0, place.width - TextWidth.of(text)))
                let painted = style.paint(text, row[place.index].tone)
                line += place.index == layout.first?.index ? "" : "  "
                switch columns[place.index].alignment {
                case .right: line += padding + painted
                case .left: line += place.index == layout.last?.index ? painted : painted + padding
                }
            }
            while line.hasSuffix(" ") { line.removeLast() }
            out += line + "\n"
        }
        return out
    }
}
