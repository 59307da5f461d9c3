internal import Presentation
internal import Text

/// The arguments, options and subcommands of a help page, each on one line if it fits.
struct HelpTable {
    private struct Section {
        let title: String
        var rows: [(label: String, text: String)] = []
    }

    /// The parser writes explanations from this column, or below a longer label.
    private static let parserMargin = String(repeating: " ", count: 26)
    /// The widest label that has its explanation beside it.
    private static let widestLabel = 34

    private var sections: [Section] = []
    private var end: String?

    /// Reads the parser's text below the usage, which has lines of any length.
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
        // The reader of a help page already knows `--help`.
        for index in sections.indices {
            sections[index].rows.removeAll { $0.label == "-h, --help" }
        }
        sections.removeAll { $0.rows.isEmpty }
    }

    /// Splits a line into the label and the explanation; a label that ends just before the explanation has one space
    /// after it.
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

    /// Returns `The paper: a4, letter (default: a4).` for `The paper. (values: a4, letter; default: a4)`.
    private static func withValues(_ text: String) -> String {
        guard let mark = text.firstRange(of: ". (values: "), text.hasSuffix(")") else { return text }
        let values = text[mark.upperBound...].dropLast()
        let parts = values.split(separator: "; default: ", maxSplits: 1)
        let more = parts.count > 1 ? " (default: \(parts[1]))" : ""
        return "\(text[..<mark.lowerBound]): \(parts.first ?? values)\(more)."
    }

    /// Returns the table for a width; if it has more lines than `lines`, its sections are joined.
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

    /// Returns the lines of each section, with the explanations from this column.
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

/// The topics of `hsip help` besides single commands.
enum HelpTopic: String, CaseIterable {
    case options
    case exitCodes = "exit-codes"
    case programs

    /// The text, in lines of at most 80 characters.
    var text: String {
        switch self {
        case .options: Self.optionsText
        case .exitCodes: Self.exitCodesText
        case .programs: Self.programsText
        }
    }

    private static let optionsText = """
        Options of every command, before or after its name:

          --vault NAME|PATH       Use this vault (default: $HSIP_VAULT, else vault).
          --json                  Print one JSON object.
          -q, --quiet             Print no notes, warnings and hints.
          -v, --verbose           Print more details.
          -y, --yes               Answer yes; comparisons still need a person.
          --no-input              Never ask.
          --no-agent              Open the vault without the agent.
          --color WHEN            auto, always or never.
          --passphrase-file FILE  Read the passphrase from the first line of FILE.
          --passphrase-fd N       Read the passphrase from an open descriptor.
          --shares                Open the vault with shares, which people read out.
          --with WAY              Open the vault only by passphrase, recovery, tpm2,
                                  fido2 or the key slot of a number.
          --pin-file FILE         Read a device's PIN from the first line of FILE.
          --last-tries            Spend the last PIN try of a security key, too.
          --old-copy              Read the older copy that --vault names; only with
                                  secret get, secret list and vault export.
        """

    private static var exitCodesText: String {
        let lines = ExitCode.allCases.map { code in
            let number = "\(code.rawValue)"
            return String(repeating: " ", count: 4 - number.count) + number + "  " + code.meaning
        }
        return
            (["Exit codes; their numbers never change:", ""] + lines
            + ["", "hsip run: 125 not started; 126 not executable; 127 not found."]).joined(separator: "\n")
    }

    private static let programsText = """
        Scripts and programs can rely on this:

          --json       hsip prints one JSON object on stdout if it succeeds or fails,
                       and nothing on stderr. Questions still go to the terminal.
                       Ignore keys that you do not know. The schemas are in
                       Schemas/cli, or in /usr/share/doc/hsip-doc/Schemas/cli.
          exit codes   The numbers never change: hsip help exit-codes.
          error codes  error.code in the JSON names the error; Schemas/errors.json
                       lists the names. The sentences may change.
          stdout       Only data; notes, warnings and errors go to stderr. In a pipe,
                       tables have tabs between columns and exact times.
          -q           No notes, warnings and hints; data and errors stay.
          --no-input   hsip never asks. If an answer is missing, the exit code is 7
                       and the hint names the option.

        Text for people may change. Until version 1.0, commands and JSON values may
        get plainer names: see Schemas/cli/README.md. Old command names keep working.
        """
}
