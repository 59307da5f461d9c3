import ArgumentParser
import Commands
import Testing

@testable import hsip

/// Every command that the program, its pages and its manual print can be typed as it stands.
@Suite("A command that is printed")
struct PrintedCommandsTests {
    @Test("by the program is one that it takes", arguments: PrintedCommand.ofSources)
    func source(_ command: PrintedCommand) {
        #expect(command.complaint == nil)
    }

    @Test("by a page is one that the program takes", arguments: PrintedCommand.ofPages)
    func page(_ command: PrintedCommand) {
        #expect(command.complaint == nil)
    }

    @Test("is found in every kind of place: hints, help, prose, blocks and spans of pages")
    func found() {
        let sources = PrintedCommand.ofSources.map(\.text)
        let pages = PrintedCommand.ofPages.map(\.text)
        #expect(sources.count > 300 && pages.count > 200)
        #expect(sources.contains("hsip vault import passwords.csv --dry-run"))
        #expect(pages.contains { $0.hasPrefix("hsip vault backup --drill") })
        #expect(PrintedCommand.ofPages.contains { $0.place.hasPrefix("Scripts/man/hsip.1") })
        for line in [
            "hsip vault exposed --since 24 Nov 2026", "hsip vault kit -o FILE --force", "hsip vaultt",
        ] {
            #expect(PrintedCommand(place: "", text: line, isProse: false).complaint != nil)
        }
    }
}

/// A command line as it stands in a source or a page.
struct PrintedCommand: Sendable, CustomTestStringConvertible {
    /// The file and the line.
    let place: String
    let text: String
    /// Whether it stands in a sentence, whose next words may be no part of it.
    let isProse: Bool

    var testDescription: String { "\(place): \(text)" }

    /// Why the program would refuse it; nil when it is fine.
    var complaint: String? {
        var first: String?
        for words in alternatives {
            guard let found = Self.complaint(of: words) else { return nil }
            first = first ?? found
            // Words of the sentence may follow, or nothing in the place of a value; an option is neither.
            var shorter = words
            while isProse, shorter.count > 1, let last = shorter.last, !last.hasPrefix("-") {
                shorter.removeLast()
                if Self.complaint(of: shorter) == nil { return nil }
            }
        }
        return first
    }

    private static func complaint(of line: [String]) -> String? {
        do {
            let (_, given) = try Globals.split(line)
            let words = OtherWords.translated(given)
            if HelpScreen.answer(to: words, columns: 80) != nil { return nil }
            // A command may be named without what it takes.
            if let complaint = CommandWords(words.filter { $0 != "help" }).complaint { return complaint }
            if CommandWords.isPath(words.filter { $0 != "help" }) { return nil }
            _ = try Hsip.parseAsRoot(words)
            return nil
        } catch {
            return Hsip.exitCode(for: error).isSuccess ? nil : Hsip.message(for: error)
        }
    }

    /// The words, once for each choice (`a|b`), with values in the places that stand for some.
    private var alternatives: [[String]] {
        let plain = text.replacing("[", with: "").replacing("]", with: "")
        let words = Self.words(plain).dropFirst().filter { $0 != "…" && $0 != "..." }
        let most = words.map { $0.split(separator: "|").count }.max() ?? 1
        // An option may be named without its value, and what the command takes behind it.
        let more = words.last?.hasPrefix("--") == true ? 2 : 0
        return (0..<most).flatMap { choice in
            Self.values.flatMap { value in
                (0...more).map { added in
                    words.map { word in
                        let choices = word.split(separator: "|").map(String.init)
                        let word = choices.isEmpty ? word : choices[min(choice, choices.count - 1)]
                        return Self.isPlaceholder(word) ? value : word
                    } + Array(repeating: value, count: added)
                }
            }
        }
    }

    /// Names, numbers, times, and words that some commands and options have for their values.
    private static let values = [
        "x", "3", "2026-01-01", "90d", "png", "file", "allow", "read", "contact", "contacts", "status", "ssh",
    ]

    private static func isPlaceholder(_ word: String) -> Bool {
        word.contains { $0.isUppercase }
            && word.allSatisfy { $0.isUppercase || $0.isNumber || "-_…'.".contains($0) }
            && !word.hasPrefix("-")
    }

    /// Splits at blanks, but not within quotes.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var (word, quote, hasWord) = ("", Character?.none, false)
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, hasWord) = (character, true)
            } else if quote == nil, character == " " {
                if hasWord { words.append(word) }
                (word, hasWord) = ("", false)
            } else {
                word.append(character)
                hasWord = true
            }
        }
        return hasWord ? words + [word] : words
    }
}
