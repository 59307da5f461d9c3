import Presentation
import Secrets
import System
import Testing

/// Always gives the numbers of a list, again and again.
private struct Fixed: RandomNumberGenerator {
    var numbers: [UInt64]
    var place = 0

    mutating func next() -> UInt64 {
        defer { place += 1 }
        return numbers[place % numbers.count]
    }
}

struct PassphraseTests {
    @Test func `the list has 2048 different short words`() {
        let words = (0..<Words.count).map { String(decoding: Words.word($0), as: UTF8.self) }
        #expect(words.count == 2_048)
        #expect(Set(words).count == 2_048)
        #expect(words == words.sorted())
        #expect(
            words.allSatisfy {
                (3...7).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            }
        )
    }

    @Test func `seven words are 77 bits and strong`() throws {
        var generator = SystemRandomNumberGenerator()
        let made = text(try Passphrase.make(using: &generator))
        #expect(made.split(separator: "-").count == 7)
        #expect(Passphrase.strength().text == "Strong, 77 bits")
        #expect(text(try Passphrase.make(using: &generator)) != made)
    }

    @Test func `each number draws its own word`() throws {
        var generator = Fixed(numbers: [0, 1, 2_047, 2_048])
        let made = text(try Passphrase.make(words: 4, using: &generator))
        let expected = [0, 1, 2_047, 0].map { String(decoding: Words.word($0), as: UTF8.self) }
        #expect(made == expected.joined(separator: "-"))
    }

    @Test(arguments: [
        (39.9, "Weak"), (40, "Moderate"), (59.9, "Moderate"), (60, "Strong"), (99.9, "Strong"),
        (100, "Very Strong"),
    ])
    func `strength has four names`(bits: Double, label: String) {
        #expect(Strength(bits: bits).label.rawValue == label)
    }

    @Test func `sixteen characters out of ninety-five are 105 bits`() {
        #expect(Strength(draws: 16, from: 95).text == "Very Strong, 105 bits")
    }

    @Test func `nine characters are too few unless weakness is wanted`() throws {
        #expect(throws: ConsoleError.shortPassphrase(minimum: 10)) {
            try Passphrase.check(Array("ninechars".utf8), allowsWeak: false)
        }
        try Passphrase.check(Array("ninechars".utf8), allowsWeak: true)
        try Passphrase.check(Array("tencharact".utf8), allowsWeak: false)
        #expect(throws: ConsoleError.shortPassphrase(minimum: 1)) {
            try Passphrase.check([], allowsWeak: true)
        }
    }

    @Test func `a passphrase of common words and numbers is easy to guess however long it is`() throws {
        for text in ["password123", "qwertyuiop12345", "letmein2024letmein"] {
            let strength = ChosenPassword.strength(of: Array(text.utf8))
            #expect(throws: ConsoleError.weakPassphrase(bits: Int(strength.bits), needed: 50)) {
                try Passphrase.checkTyped(Array(text.utf8), allowsWeak: false)
            }
            try Passphrase.checkTyped(Array(text.utf8), allowsWeak: true)
        }
        #expect(throws: ConsoleError.shortPassphrase(minimum: 10)) {
            try Passphrase.checkTyped(Array("k7#Q!x9".utf8), allowsWeak: false)
        }
        try Passphrase.checkTyped(Array("seven grey herons over the harbour".utf8), allowsWeak: false)
    }

    @Test func `characters are counted, not bytes`() {
        #expect(throws: ConsoleError.shortPassphrase(minimum: 10)) {
            try Passphrase.check(Array("äöüäöüäöü".utf8), allowsWeak: false)
        }
    }
}
