internal import Text

/// The arguments, options and subcommands of a page of help, each on one line where it fits.
struct HelpTable {
    private struct Section {
        let title: String
        var rows: [(label: String, text: String)] = []
    }

    /// The parser writes explanations from this column on, below a label that reaches it.
    private static let parserMargin = String(repeating: " ", count: 26)
    /// A longer label has its explanation below it.
    private static let widestLabel = 34

    private var sections: [Section] = []
    private var end: String?

    /// Reads what the parser writes below the usage if no line is too long for it.
    init(_ text: Substring) {
        for line in text.split(separator: "\n") {
            if line.hasPrefix(Self.parserMargin) {
                join(String(line.dropFirst(Self.parserMargin.count)))
            } else if line.hasPrefix("  See ") {
                end = String(line)
            } else if line.hasPrefix("  ") {
                let (label, text) = Self.parts(of: line)
                add(label, text)
            } else {
                sections.append(Section(title: String(line)))
            }
        }
        // A reader of help knows how to ask for help.
        for index in sections.indices {
            sections[index].rows.removeAll { $0.label == "-h, --help" }
        }
        sections.removeAll { $0.rows.isEmpty }
    }

    /// The label and the explanation of a line; a label that ends just before the explanation has one space after it.
    private static func parts(of line: Substring) -> (String, String) {
        let margin = line.index(line.startIndex, offsetBy: parserMargin.count, limitedBy: line.endIndex)
        let gap = line.dropFirst(2).firstRange(of: "  ")?.lowerBound
        let end = [gap, margin].compactMap(\.self).min() ?? line.endIndex
        let isLabel = end == margin && (line[line.index(before: end)] != " " || line[end...].hasPrefix("<"))
        guard end < line.endIndex, !isLabel else { return (String(line.dropFirst(2)), "") }
        let label = line[..<end].dropFirst(2).reversed().drop { $0 == " " }.reversed()
        return (String(label), String(line[end...].drop { $0 == " " }))
    }

    private mutating func add(_ label: String, _ text: String) {
        if sections.isEmpty { sections.append(Section(title: "OPTIONS:")) }
        sections[sections.count - 1].rows.append((label, Self.withValues(text)))
    }

    private mutating func join(_ text: String) {
        guard let section = sections.indices.last, let row = sections[section].rows.indices.last else {
            return
        }
        let before = sections[section].rows[row].text
        sections[section].rows[row].text = Self.withValues(before.isEmpty ? text : before + " " + text)
    }

    /// `The paper: a4, letter (default: a4).` for `The paper. (values: a4, letter; default: a4)`.
    private static func withValues(_ text: String) -> String {
        guard let mark = text.firstRange(of: ". (values: "), text.hasSuffix(")") else { return text }
        let values = text[mark.upperBound...].dropLast()
        let parts = values.split(separator: "; default: ", maxSplits: 1)
        let more = parts.count > 1 ? " (default: \(parts[1]))" : ""
        return "\(text[..<mark.lowerBound]): \(parts.first ?? values)\(more)."
    }

    /// The table for a width; if it has more than so many lines, its sections become one.
    func text(columns: Int, lines: Int) -> String {
        let widths = Set(sections.flatMap(\.rows).map { $0.label.count }.filter { $0 <= Self.widestLabel })
        let margins = widths.sorted().map { $0 + 4 }
        let layouts = margins.map { rows(margin: $0, columns) }
        let blocks = layouts.min { $0.joined().count < $1.joined().count } ?? []
        let whole = zip(sections, blocks).flatMap { ["", $0.title] + $1 } + (end.map { ["", $0] } ?? [])
        let title = sections.count == 1 ? sections.first?.title : "OPTIONS:"
        let short = ["", title ?? ""] + blocks.joined()
        return (whole.count <= lines ? whole : short).map { "\n" + $0 }.joined()
    }

    /// The lines of each section, with the explanations from this column on.
    private func rows(margin: Int, _ columns: Int) -> [[String]] {
        sections.map { section in
            section.rows.flatMap { row in
                let label = "  " + row.label
                let gap = String(repeating: " ", count: max(margin - label.count, 0))
                guard label.count + 2 <= margin else {
                    let below = String(repeating: " ", count: margin) + row.text
                    return [label] + LineWrap.lines(below, to: columns, keepsCommands: false)
                }
                let line = label + gap + row.text
                return LineWrap.lines(line, to: columns, indent: margin - 2, keepsCommands: false)
            }
        }
    }
}
