import Foundation
import HSIP
import Testing

struct EmojiTableTests {
    private struct Table: Decodable {
        struct Row: Decodable {
            let index: Int
            let emoji: String
            let word: String
        }

        let emoji: [Row]
    }

    @Test func `the published table of emoji and words is the one that is used`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "Schemas/emoji.json"))
        let table = try JSONDecoder().decode(Table.self, from: data)
        #expect(table.emoji.map(\.index) == Array(0..<60))
        #expect(table.emoji.map { Array($0.emoji.utf8) } == Emoji.pictures.map { Array($0.utf8) })
        #expect(table.emoji.map(\.word) == Emoji.words)
        #expect(Set(Emoji.words).count == 60)
    }
}
