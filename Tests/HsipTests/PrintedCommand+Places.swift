import ArgumentParser
import Foundation

@testable import hsip

/// Where commands are printed: string literals of the sources, pages, the manual.
extension PrintedCommand {
    static let ofSources = files(in: "Sources", ending: ".swift").flatMap { file in
        SwiftTexts(file.text).found.flatMap { commands(in: $0.text, place: "\(file.name):\($0.line)") }
    }

    static let ofPages =
        (files(in: "Schemas", ending: ".md") + files(in: "docs", ending: ".md") + files(in: "", ending: ".md"))
        .flatMap { commands(inPage: $0.text, name: $0.name) }
        + files(in: "Scripts/man", ending: "").flatMap { file in
            file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
                commands(in: String($1), place: "\(file.name):\($0 + 1)")
            }
        }

    private static let root = String(#filePath.split(separator: "/").dropLast(3).joined(separator: "/"))

    private static func files(in folder: String, ending: String) -> [(name: String, text: String)] {
        let start = "/\(root)/\(folder)"
        let names =
            folder.isEmpty
            ? (try? FileManager.default.contentsOfDirectory(atPath: start)) ?? []
            : FileManager.default.subpaths(atPath: start) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().compactMap { name in
            (try? String(contentsOfFile: "\(start)/\(name)", encoding: .utf8)).map {
                ("\(folder)/\(name)", $0)
            }
        }
    }

    /// The commands in a text of the program: whole lines, and those that a sentence names.
    private static func commands(in text: String, place: String) -> [PrintedCommand] {
        text.split(separator: "\n").flatMap { line in
            let line = line.drop { $0 == " " }
            return prose(String(line), place: place)
        }
    }

    private static func commands(inPage text: String, name: String) -> [PrintedCommand] {
        var found: [PrintedCommand] = []
        var isBlock = false
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let place = "\(name):\(number + 1)"
            if line.hasPrefix("```") {
                isBlock.toggle()
            } else if isBlock {
                let line = String(line.drop { $0 == " " })
                if line.hasPrefix("hsip ") || line.contains("| hsip ") { found += shell(line, place: place) }
            } else {
                for (index, span) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                where index % 2 == 1 && (span.hasPrefix("hsip ") || span.contains("| hsip ")) {
                    found += shell(String(span), place: place)
                }
            }
        }
        return found
    }

    /// The commands of a line for a shell, without comments, redirections and what stands beside the command.
    private static func shell(_ line: String, place: String) -> [PrintedCommand] {
        var line = line
        for end in ["  ", " #", " <", " >", " 2>", " 3<"] {
            if let range = line.firstRange(of: end) { line = String(line[..<range.lowerBound]) }
        }
        let pieces = line.replacing(" && ", with: "\n").replacing(" | ", with: "\n").replacing(
            "; ",
            with: "\n"
        )
        return pieces.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("hsip ") }
            .map { PrintedCommand(place: place, text: String($0), isProse: false) }
    }

    /// Words after `hsip` at the beginning of a line that is no command: sentences about the program, labels of keys.
    private static let verbs: Set<Substring> = [
        "accepts", "also", "asks", "can", "cannot", "compares", "copies", "could", "detects", "does",
        "encrypts", "estimates", "export", "failed", "has", "imports", "is", "keeps", "kept", "makes", "may",
        "names", "needs", "never", "no", "opened", "opens", "prints", "reads", "refuses", "removed",
        "removes", "replaces", "runs", "saves", "searches", "sends", "shows", "stores", "then", "uses",
        "would", "writes",
    ]

    /// What ends a command within a line.
    private static let ends = [
        ". ", ", ", "; ", ": ", "  ", ")", "`", "”", " | ", " < ", " > ", " 3< ", " && ", " 2>",
    ]

    /// The commands that a line of the program names.
    private static func prose(_ line: String, place: String) -> [PrintedCommand] {
        line.ranges(of: "hsip ").compactMap { range in
            let rest = line[range.lowerBound...]
            let end = ends.compactMap { rest.firstRange(of: $0)?.lowerBound }.min() ?? rest.endIndex
            var text = rest[..<end]
            while let last = text.last, ".,:; ".contains(last) { text.removeLast() }
            guard let second = text.split(separator: " ").dropFirst().first,
                second.contains(where: \.isLetter),
                !text.contains("--X")
            else { return nil }
            if range.lowerBound == line.startIndex {
                guard !verbs.contains(second) else { return nil }
            } else {
                let before = line[line.index(before: range.lowerBound)]
                guard CommandWords([String(second)]).complaint == nil,
                    !before.isLetter, !"-/.".contains(before), !line[..<range.lowerBound].hasSuffix("--to ")
                else { return nil }
            }
            return PrintedCommand(place: place, text: String(text), isProse: true)
        }
    }
}

extension CommandWords {
    /// Whether the words are the names of commands, and nothing else.
    static func isPath(_ words: [String]) -> Bool {
        var type: any ParsableCommand.Type = Hsip.self
        for word in words {
            guard let next = type.configuration.subcommands.first(where: { $0._commandName == word }) else {
                return false
            }
            type = next
        }
        return true
    }
}

/// The string literals of a Swift source; what is put into one at run time stands there as `X`.
private struct SwiftTexts {
    private(set) var found: [(text: String, line: Int)] = []

    init(_ source: String) {
        var rest = Array(source)[...]
        var line = 1
        func has(_ text: String) -> Bool { rest.starts(with: text) }
        func skip(_ count: Int) {
            for character in rest.prefix(count) where character == "\n" { line += 1 }
            rest = rest.dropFirst(count)
        }
        while !rest.isEmpty {
            if has("//") {
                skip(rest.firstIndex(of: "\n").map { $0 - rest.startIndex } ?? rest.count)
            } else if has("\"\"\"") || has("\"") {
                let mark = has("\"\"\"") ? "\"\"\"" : "\""
                let start = line
                skip(mark.count)
                var text = ""
                while !rest.isEmpty, !has(mark) {
                    if has("\\(") {
                        skip(2)
                        var depth = 1
                        while depth > 0, let next = rest.first {
                            if next == "(" { depth += 1 }
                            if next == ")" { depth -= 1 }
                            skip(1)
                        }
                        text += "X"
                    } else if has("\\\n") {
                        skip(2)
                        while rest.first == " " { skip(1) }
                    } else if has("\\") {
                        text += has("\\n") ? "\n" : has("\\\"") ? "\"" : ""
                        skip(2)
                    } else {
                        text.append(rest[rest.startIndex])
                        skip(1)
                    }
                }
                skip(mark.count)
                found.append((text, start))
            } else {
                skip(1)
            }
        }
    }
}
