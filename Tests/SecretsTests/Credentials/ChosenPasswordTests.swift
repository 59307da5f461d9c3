import Secrets
import Testing
import VaultCrypto

struct ChosenPasswordTests {
    private func strength(_ text: String) -> Strength { ChosenPassword.strength(of: Array(text.utf8)) }

    @Test(arguments: [
        "", "password", "Password1", "P@ssw0rd", "p4$$w0rd123", "123456", "qwerty", "qwertyuiop", "1qaz2wsx",
        "asdfghjkl;", "abcdefghijkl", "zyxwvut", "aaaaaaaaaaaaaaaa", "abcabcabcabcabc", "drowssap",
        "iloveyou2",
        "24121987", "24.12.1987", "1987-12-24", "Summer2024!", "michael1985", "letmein!", "monkeymonkey",
        "Dragon123", "hamburg1", "00000000", "9876543210", "zxcvbnm,./",
    ]) func `what people choose first is weak`(text: String) {
        #expect(strength(text).label == .weak, "\(text): \(strength(text).bits)")
    }

    @Test(arguments: [
        ("Tr0ub4dor&3", Strength.Label.moderate), ("bluberrikant", .moderate),
    ]) func `a word bent a little is not much better`(text: String, label: Strength.Label) {
        #expect(strength(text).label == label, "\(text): \(strength(text).bits)")
    }

    @Test func `made passwords come close to what they are`() throws {
        let rule = try #require(PasswordRule())
        let entropy = Entropy.seeded([1])
        for _ in 0..<40 {
            let bits = try ChosenPassword.strength(of: rule.make(entropy)).bits
            #expect((75...105.2).contains(bits), "\(bits)")
        }
    }

    @Test func `made passphrases are not taken for more than they are by much`() throws {
        let rule = try #require(PassphraseRule(words: 7))
        let entropy = Entropy.seeded([2])
        for _ in 0..<20 {
            let bits = try ChosenPassword.strength(of: rule.make(entropy)).bits
            #expect((55...85).contains(bits), "\(bits)")
        }
    }

    @Test func `a longer text is never weaker by what is added at its end`() {
        let text = "correct horse 1987 Xq#8 qwerty ÄÖÜ 🔒 abcabc"
        var last = -1.0
        for end in text.indices {
            let bits = strength(String(text[..<end])).bits
            // A pattern that ends here may be cheaper than its beginning, by what its beginning cost.
            #expect(bits > last - 25)
            last = bits
        }
    }

    @Test func `any bytes are judged, and at most 128 of them`() throws {
        let entropy = Entropy.seeded([3])
        for count in [1, 2, 3, 127, 128, 129, 4_096] {
            let bytes = entropy.bytes(count)
            #expect(ChosenPassword.strength(of: bytes).bits >= 0)
            #expect(
                ChosenPassword.strength(of: bytes) == ChosenPassword.strength(of: Array(bytes.prefix(128)))
            )
        }
        let same = [UInt8](repeating: 0x61, count: 4_096)
        #expect(ChosenPassword.strength(of: same).label == .weak)
    }
}
