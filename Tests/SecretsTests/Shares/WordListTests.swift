import Testing

@testable import Secrets

/// The list of words, as data and as it is looked into.
struct WordListTests {
    private static func packed(_ word: String) -> UInt64 {
        word.utf8.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - word.utf8.count))
    }

    @Test func `the list is the one of the standard, in order, told apart by four letters`() throws {
        let words = try Samples.standard().words
        #expect(words.count == 1_024 && WordList.packed == words.map(Self.packed))
        #expect(zip(WordList.packed, WordList.packed.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(words.map { $0.prefix(4) }).count == words.count)
        #expect(words.allSatisfy { (4...8).contains($0.utf8.count) })
        #expect(words.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } })
    }

    @Test func `every word is found by its letters, and by its first four or more`() throws {
        for (number, word) in try Samples.standard().words.enumerated() {
            #expect(WordList.letters(of: UInt32(number)) == Self.packed(word))
            for count in 4...word.utf8.count {
                let start = String(word.prefix(count))
                #expect(WordList.number(of: Self.packed(start), count: count) == UInt32(number), "\(start)")
            }
            let short = String(word.prefix(3))
            #expect(WordList.number(of: Self.packed(short), count: 3) == nil)
            #expect(WordList.number(of: Self.packed(word) | 0x80 << 56, count: word.utf8.count) == nil)
        }
        #expect(WordList.number(of: Self.packed("academic"), count: 9) == nil)
    }
}
