internal import Console
internal import Programs
internal import SafeText

/// The parser's help, in lines that fit: its own usage line is never broken, and its examples are broken anywhere.
enum HelpText {
    /// Where nothing tells how wide the screen is.
    private static let standardColumns = 80
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
        let help = make(columns)
        // Without a limit each paragraph at the top is one line.
        let unlimited = make(.max / 2)
        guard let place = help.firstRange(of: usage), let top = unlimited.firstRange(of: usage) else {
            return help
        }
        let rest = help[place.lowerBound...]
        let end = rest.firstRange(of: "\n\n")?.lowerBound ?? rest.endIndex
        return head(String(unlimited[..<top.lowerBound]), columns)
            + wrappedUsage(String(rest[..<end]), columns) + rest[end...]
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

    /// Broken between options only, `[--name <name>]` being one.
    private static func wrappedUsage(_ text: String, _ columns: Int) -> String {
        var lines: [String] = []
        var line = ""
        var depth = 0
        var piece = ""
        for character in text.filter({ $0 != "\n" }) + " " {
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            guard character == " ", depth == 0, piece + " " != usage else {
                piece.append(character)
                continue
            }
            if piece.isEmpty { continue }
            if !line.isEmpty, line.count + 1 + piece.count > columns {
                lines.append(line)
                line = String(repeating: " ", count: usage.count) + piece
            } else {
                line += line.isEmpty ? piece : " " + piece
            }
            piece = ""
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
