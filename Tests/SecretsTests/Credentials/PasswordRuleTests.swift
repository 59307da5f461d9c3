import Foundation
import Secrets
import Testing
import VaultCrypto

struct PasswordRuleTests {
    static let choices: [Set<CharacterKind>] = [
        Set(CharacterKind.allCases), [.lower], [.digit], [.upper, .digit], [.lower, .symbol],
        [.upper, .lower, .digit],
    ]

    @Test func `the four sets have 88 characters, none twice`() {
        let all = CharacterKind.allCases.flatMap(\.characters)
        #expect(all.count == 88)
        #expect(Set(all).count == 88)
        #expect(all.allSatisfy { (0x21...0x7E).contains($0) })
    }

    @Test(arguments: choices) func `a password has its length, its characters, and one of each set`(
        kinds: Set<CharacterKind>
    ) throws {
        for length in [6, 7, 16, 64] {
            let rule = try #require(PasswordRule(length: length, kinds: kinds))
            for _ in 0..<20 {
                let password = try rule.make().withBytes { $0.copied() }
                #expect(password.count == length)
                let used = password.compactMap { byte in
                    CharacterKind.allCases.first { $0.characters.contains(byte) }
                }
                #expect(used.count == length)
                #expect(Set(used) == kinds)
            }
        }
    }

    @Test func `lengths from 6 to 64, and at least one set`() {
        for length in [-1, 0, 5, 65, .max] { #expect(PasswordRule(length: length) == nil) }
        #expect(PasswordRule(kinds: []) == nil)
        #expect(PasswordRule()?.length == 16)
        #expect(PassphraseRule(words: 3) == nil)
        #expect(PassphraseRule(words: 21) == nil)
    }

    @Test(arguments: [
        (16, CharacterKind.allCases, "Very Strong, 103 bits"), (6, [.digit], "Weak, 19 bits"),
        (8, [.lower], "Weak, 37 bits"), (12, [.lower, .digit], "Strong, 62 bits"),
        (64, CharacterKind.allCases, "Very Strong, 413 bits"), (9, [.upper, .lower], "Moderate, 51 bits"),
    ]) func `entropy is length times the bits of the pool`(
        length: Int,
        kinds: [CharacterKind],
        text: String
    ) throws {
        #expect(try #require(PasswordRule(length: length, kinds: Set(kinds))).strength.text == text)
    }

    /// Pearson's chi-square against the exact distribution: every password that has all sets is equally likely, so a
    /// character of set s stands at a place with the share of passwords whose other places cover the other sets.
    @Test(arguments: [(6, 6_000), (16, 6_000)]) func `no place of a password prefers a character`(
        length: Int,
        rounds: Int
    ) throws {
        let rule = try #require(PasswordRule(length: length))
        let entropy = Entropy.seeded(Array("chi-square \(length)".utf8))
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 128), count: length)
        for _ in 0..<rounds {
            try rule.make(entropy).withBytes { text in
                for place in 0..<length { counts[place][Int(text.byte(at: place))] += 1 }
            }
        }
        let sizes = CharacterKind.allCases.map { Double($0.characters.count) }
        let whole = Self.covering(sizes, length)
        for place in 0..<length {
            var chi = 0.0
            for (index, kind) in CharacterKind.allCases.enumerated() {
                var others = sizes
                others.remove(at: index)
                // The pool stays whole; only the other sets still have to occur.
                let share = Self.covering(others, length - 1, pool: sizes.reduce(0, +)) / whole
                for character in kind.characters {
                    let expected = Double(rounds) * share
                    let difference = Double(counts[place][Int(character)]) - expected
                    chi += difference * difference / expected
                }
            }
            // 87 degrees of freedom: more than 150 comes once in 30,000 times.
            #expect(chi < 150, "place \(place)")
            #expect(chi > 40, "place \(place)")
        }
    }

    /// How many texts have at least one character of every set (inclusion and exclusion).
    private static func covering(_ sizes: [Double], _ length: Int, pool: Double? = nil) -> Double {
        let pool = pool ?? sizes.reduce(0, +)
        return (0..<1 << sizes.count).reduce(0) { sum, chosen in
            let missing = sizes.indices.filter { chosen >> $0 & 1 == 1 }
            let sign = missing.count.isMultiple(of: 2) ? 1.0 : -1.0
            return sum + sign * pow(pool - missing.reduce(0) { $0 + sizes[$1] }, Double(length))
        }
    }

    @Test func `every place of a passphrase prefers no word`() throws {
        let rule = try #require(PassphraseRule(words: 4))
        let entropy = Entropy.seeded(Array("words".utf8))
        var counts = [[String: Int]](repeating: [:], count: 4)
        let rounds = 10_240
        for _ in 0..<rounds {
            let words = try rule.make(entropy).withBytes { String(decoding: $0.copied(), as: UTF8.self) }
                .split(separator: "-")
            #expect(words.count == 4)
            for (place, word) in words.enumerated() { counts[place][String(word), default: 0] += 1 }
        }
        for place in 0..<4 {
            let expected = Double(rounds) / 2_048
            let chi = (0..<2_048).reduce(0.0) { sum, number in
                let word = String(decoding: Words.word(number), as: UTF8.self)
                let difference = Double(counts[place][word] ?? 0) - expected
                return sum + difference * difference / expected
            }
            // 2,047 degrees of freedom, deviation 64.
            #expect((1_790...2_310).contains(chi))
        }
        #expect(rule.strength.text == "Moderate, 44 bits")
    }
}
