internal import Presentation
internal import System
internal import Text

/// The parser's help, laid out again: its own usage line is never broken, its examples are broken anywhere, and its
/// options begin so far to the right that few fit on a line.
enum HelpText {
    /// Where nothing tells how wide the screen is.
    private static let standardColumns = 80
    /// The lines of a small window, with one for the next prompt.
    private static let standardLines = 23
    private static let usage = "USAGE: "

    /// The width of the screen.
    static func columns(in console: ConsoleEnvironment) -> Int {
        console.outputIsTerminal ? console.window.columns : standardColumns
    }

    /// The help for the width of the screen; `make` writes the parser's help for a number of columns.
    static func fitted(in console: ConsoleEnvironment, _ make: (Int) -> String) -> String {
        fitted(columns: columns(in: console), make)
    }

    /// The help for a number of columns.
    static func fitted(columns: Int, _ make: (Int) -> String) -> String {
        // Without a limit each paragraph and each option is one line.
        let help = make(.max / 2)
        guard let place = help.firstRange(of: usage) else { return make(columns) }
        let rest = help[place.lowerBound...]
        let end = rest.firstRange(of: "\n\n")?.lowerBound ?? rest.endIndex
        let start =
            head(String(help[..<place.lowerBound]), columns) + usage(String(rest[..<end]), columns)
        let table = HelpTable(rest[end...])
        let lines = start.count(where: { $0 == "\n" }) + 1
        return start + table.text(columns: columns, lines: standardLines - lines)
    }

    private static func head(_ text: String, _ columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap {
                $0.hasPrefix("  ")
                    ? example(String($0), columns)
                    : LineWrap.lines(String($0), to: columns, keepsCommands: false)
            }
            .joined(separator: "\n")
    }

    /// An example is for copying and stays as it is; only the explanation beside it is broken.
    private static func example(_ line: String, _ columns: Int) -> [String] {
        let command = line.dropFirst(2)
        guard let gap = command.firstRange(of: "  ") else { return [line] }
        let text = command[gap.upperBound...].drop { $0 == " " }
        return LineWrap.lines(line, to: columns, indent: command.count - text.count)
    }

    /// The usage on one line; if it is longer, `[<options>]` stands for the optional ones.
    private static func usage(_ text: String, _ columns: Int) -> String {
        let pieces = pieces(of: text)
        guard LineWrap.width(of: pieces.joined(separator: " ")) > columns else {
            return pieces.joined(separator: " ")
        }
        var short = pieces.filter { !$0.hasPrefix("[-") }
        if let first = pieces.firstIndex(where: { $0.hasPrefix("[-") }) {
            short.insert("[<options>]", at: first)
        }
        return wrapped(short, columns)
    }

    /// The parts of a usage line, of which `[--name <name>]` is one.
    private static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var depth = 0
        for part in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if depth > 0, let last = pieces.popLast() {
                pieces.append(last + " " + part)
            } else {
                pieces.append(String(part))
            }
            depth += part.count(where: { $0 == "[" }) - part.count(where: { $0 == "]" })
        }
        return pieces
    }

    private static func wrapped(_ pieces: [String], _ columns: Int) -> String {
        var lines: [String] = []
        for piece in pieces {
            if let line = lines.last, line.count + 1 + piece.count <= columns {
                lines[lines.count - 1] = line + " " + piece
            } else {
                lines.append(lines.isEmpty ? piece : String(repeating: " ", count: usage.count) + piece)
            }
        }
        return lines.joined(separator: "\n")
    }
}
