import ArgumentParser
import Foundation
import Testing

@testable import hsip

/// Every page of help fits a screen of 80 columns, and says in one short sentence what its command does.
@Suite("A page of help")
struct HelpPagesTests {
    /// A command with the words that lead to it.
    struct Page: Sendable, CustomTestStringConvertible {
        let words: [String]
        let type: any ParsableCommand.Type
        var testDescription: String { words.joined(separator: " ") }
    }

    static let pages = walk(Hsip.self, [])

    private static func walk(_ type: any ParsableCommand.Type, _ words: [String]) -> [Page] {
        [Page(words: words, type: type)]
            + type.configuration.subcommands.flatMap { walk($0, words + [$0._commandName]) }
    }

    @Test("has lines of at most 80 columns", arguments: pages)
    func width(_ page: Page) {
        let text = HelpText.fitted(columns: 80) { Hsip.helpMessage(for: page.type, columns: $0) }
        for line in text.split(separator: "\n") where !line.hasPrefix("  KnownHostsCommand ") {
            #expect(line.count <= 80)
        }
    }

    @Test("has less than 24 lines", arguments: pages.filter { !$0.words.isEmpty })
    func height(_ page: Page) {
        let text = HelpText.fitted(columns: 80) { Hsip.helpMessage(for: page.type, columns: $0) }
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 24)
    }

    @Test("names the values of an option once")
    func values() throws {
        let text = try Self.text(of: "agent rule add")
        #expect(text.contains("What to do: allow, ask, each, deny.\n"))
        #expect(!text.contains("(values:"))
    }

    @Test("has a usage line with the words that are needed, not with a long list of options")
    func usage() throws {
        #expect(try Self.text(of: "secret set").contains("USAGE: hsip secret set [<options>] <name>\n"))
        #expect(try Self.text(of: "session show").contains("USAGE: hsip session show "))
    }

    private static func text(of command: String) throws -> String {
        let page = try #require(pages.first { $0.words.joined(separator: " ") == command })
        return HelpText.fitted(columns: 80) { Hsip.helpMessage(for: page.type, columns: $0) }
    }

    @Test("has an abstract of at most 60 characters that begins with a verb", arguments: pages)
    func abstract(_ page: Page) {
        let text = page.type.configuration.abstract
        #expect(text.count <= 60 && text.hasSuffix("."))
        #expect(text.split { !$0.isLetter }.first.map { Self.verbs.contains($0) } == true)
    }

    @Test("of a topic fits, too", arguments: HelpTopic.allCases)
    func topic(_ topic: HelpTopic) {
        let lines = topic.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 24 && lines.allSatisfy { $0.count <= 80 })
    }

    @Test("of hsip itself names every command in less than 24 lines")
    func screen() {
        let text = HelpScreen.text(columns: 80)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // `hsip` alone puts the state of the vault and an empty line above.
        #expect(lines.count + 2 < 24 && lines.allSatisfy { $0.count <= 80 })
        let words = Set(text.split { !$0.isLetter && $0 != "-" })
        for command in Hsip.configuration.subcommands where command.configuration.shouldDisplay {
            #expect(words.contains(Substring(command._commandName)))
        }
    }

    private static let verbs: Set<Substring> = [
        "Accept", "Add", "Answer", "Ask", "Back", "Change", "Check", "Connect", "Copy", "Decrypt", "Delete",
        "Draw", "Empty", "Encrypt", "End", "Export", "Fill", "Find", "Give", "Import", "Keep", "Let", "List",
        "Lock", "Make", "Manage", "Move", "Open", "Print", "Refuse", "Remove", "Rename", "Renew", "Replace",
        "Restart", "Restore", "Run", "Save", "Send", "Show", "Start", "Stop", "Test", "Trust", "Unlock",
        "Use",
    ]
}
