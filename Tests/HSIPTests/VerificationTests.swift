import HSIP
import Support
import Testing
import VaultCrypto

/// Safety numbers, VERIFY codes and pictures.
struct VerificationTests {
    private let keys = (1...3).map { [UInt8](repeating: $0, count: 32) }

    @Test func `a safety number is the same for both people`() throws {
        try forAll("symmetric", runs: 5, generate: { ($0.bytes(32), $0.bytes(32)) }) { one, other in
            try SafetyNumber(one, other) == SafetyNumber(other, one)
        }
    }

    @Test func `each half of a safety number belongs to one identity only`() throws {
        func halves(_ one: [UInt8], _ other: [UInt8]) throws -> Set<Substring> {
            let digits = try SafetyNumber(one, other).digits
            return [digits.prefix(30), digits.suffix(30)]
        }
        let common = try halves(keys[0], keys[1]).intersection(halves(keys[0], keys[2]))
        #expect(common.count == 1)
        #expect(try halves(keys[1], keys[2]).isDisjoint(with: common))
    }

    @Test func `a safety number is read with any spacing, and no other number`() throws {
        let number = try SafetyNumber(keys[0], keys[1])
        #expect(number.digits.count == 60)
        #expect(number.text.split(separator: " ").map(\.count) == Array(repeating: 5, count: 12))
        #expect(number.matches(number.text))
        #expect(number.matches(number.digits))
        #expect(number.matches(" " + number.text.replacing(" ", with: "\n") + "\n"))
        #expect(number.matches(number.text.replacing(" ", with: "-")))
        #expect(!number.matches(String(number.digits.dropLast())))
        #expect(!number.matches(number.digits + "0"))
        #expect(!number.matches(try SafetyNumber(keys[0], keys[2]).text))
        #expect(!number.matches(""))
    }

    @Test func `a fingerprint is 64 bytes, of 32 only`() throws {
        #expect(try SafetyNumber.fingerprint(of: keys[0]).count == 64)
        let found = refusal { () throws(HSIPError) in _ = try SafetyNumber.fingerprint(of: [1, 2, 3]) }
        #expect(found == .malformed)
    }

    @Test func `a VERIFY says whether it is theirs and whether it is for me`() throws {
        let prints = try keys.map { try SafetyNumber.fingerprint(of: $0) }
        let code = try VerifyCode(senderKey: keys[0], receiverKey: keys[1])
        func check(_ contact: Int, _ own: Int) -> HSIPError? {
            refusal { () throws(HSIPError) in try code.check(contact: prints[contact], own: prints[own]) }
        }
        #expect(check(0, 1) == nil)
        #expect(check(2, 1) == .verifyMismatch)
        #expect(check(2, 0) == .verifyMismatch)
        #expect(check(1, 0) == .verifyMismatch)
        #expect(check(0, 2) == .verifyNotForMe)
    }

    @Test func `however many VERIFY codes ask for it, the fingerprint of a key is computed about once`()
        throws
    {
        let duo = try Duo()
        let own = duo.alice.book.identity.publicKey
        var prints: [[UInt8]] = []
        let code = ExchangeCode.verify(try VerifyCode(senderKey: keys[0], receiverKey: keys[1]))
        for _ in 0..<300 {
            #expect(!duo.alice.book.isOwn(code))
            prints.append(try SafetyNumber.fingerprint(of: own))
        }
        // Each that is computed has a place of its own; all are kept, so no place serves twice.
        let places = Set(
            prints.map { print in unsafe print.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
        )
        // Tests beside this one may push it out of the cache now and then.
        #expect(places.count < 30)
    }

    @Test func `there are 60 pictures and 60 words, all different`() {
        #expect(Emoji.pictures.count == 60)
        #expect(Set(Emoji.pictures).count == 60)
        #expect(Emoji.pictures.allSatisfy { $0.count == 1 })
        #expect(Emoji.pictures.filter { $0.unicodeScalars.contains("\u{FE0F}") } == ["🏎️", "❄️", "☀️"])
        #expect(Emoji.words.count == 60)
        #expect(Set(Emoji.words).count == 60)
        #expect(
            Emoji.words.allSatisfy {
                (3...10).contains($0.count) && $0.allSatisfy { ("a"..."z").contains($0) }
            }
        )
    }

    @Test func `words stand beside their pictures`() {
        let indices: [UInt8] = [9, 35, 27, 45, 6, 38, 1, 47, 44, 53, 3, 5]
        #expect(Emoji.pictures(of: indices) == "🐸🎻🚑🌙🐼🎼🐈💫☀️🌭🦁🐻")
        #expect(Emoji.pictures(of: [0, 25], separator: " ") == "🐕 🏎️")
        #expect(
            Emoji.words(of: indices)
                == "frog violin ambulance moon panda score cat dizzy sun hotdog lion bear"
        )
        #expect(Emoji.words(of: [60, 255]).isEmpty)
    }

    @Test func `the pictures follow the secret and the transcript`() throws {
        let reference = try Emoji.indices(emojiSecret: keys[0], transcript: keys[1])
        #expect(reference.count == 12)
        #expect(reference.allSatisfy { $0 < 60 })
        #expect(try Emoji.indices(emojiSecret: keys[2], transcript: keys[1]) != reference)
        #expect(try Emoji.indices(emojiSecret: keys[0], transcript: keys[2]) != reference)
    }
}
