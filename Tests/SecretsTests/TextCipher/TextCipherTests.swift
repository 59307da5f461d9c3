import Foundation
import Secrets
import Synchronization
import Testing
import VaultCrypto

/// Texts under a typed key (Schemas/text.md), by the known answers of another implementation and by damage.
struct TextCipherTests {
    private struct Vector: Decodable {
        struct Case: Decodable {
            let algorithm, key, plaintext, salt, iv, text: String
        }
        let rounds: Int
        let cases: [Case]
    }

    private static func vector() throws -> Vector {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "../../Schemas/vectors/text.json").standardized
        return try JSONDecoder().decode(Vector.self, from: Data(contentsOf: file))
    }

    private func opened(_ text: [UInt8], _ key: String) throws(TextCipherError) -> [UInt8] {
        let opened = try CipherText(text: text).open(key: Array(key.utf8))
        return opened.withBytes { $0.copied() }
    }

    private func refusal(_ text: String, _ key: String = "key") -> TextCipherError? {
        do throws(TextCipherError) {
            _ = try opened(Array(text.utf8), key)
            return nil
        } catch {
            return error
        }
    }

    private func isMalformed(_ text: String) -> Bool {
        do throws(TextCipherError) {
            _ = try CipherText(text: Array(text.utf8))
            return false
        } catch {
            return error == .malformed
        }
    }

    private func seal(_ text: String, _ algorithm: TextAlgorithm, _ key: String = "key") throws -> CipherText
    {
        try CipherText.seal(Array(text.utf8), as: algorithm, key: Array(key.utf8))
    }

    @Test func `texts are those of the other implementation, both ways`() throws {
        let vector = try Self.vector()
        #expect(vector.rounds == CipherText.rounds && vector.cases.count == 15)
        for known in vector.cases {
            let text = Array(known.text.utf8)
            #expect(try opened(text, known.key) == Array(known.plaintext.utf8))
            // What a test dictates: first the salt, then the beginning.
            let (salt, iv) = (Hex.decode(known.salt) ?? [], Hex.decode(known.iv) ?? [])
            let turn = Mutex(0)
            let entropy = Entropy { _ in
                turn.withLock { turn in
                    turn += 1
                    return turn == 1 ? salt : iv
                }
            }
            let sealed = try CipherText.seal(
                Array(known.plaintext.utf8),
                as: try #require(TextAlgorithm(rawValue: known.algorithm)),
                key: Array(known.key.utf8),
                entropy: entropy
            )
            #expect(sealed.text == text)
        }
    }

    @Test(arguments: TextAlgorithm.allCases)
    func `a text comes back, wrapped or not`(algorithm: TextAlgorithm) throws {
        let long = String(repeating: "Überall 🔒\n", count: 50)
        let text = try seal(long, algorithm).text
        #expect(try opened(text, "key") == Array(long.utf8))
        let wrapped = text.enumerated().flatMap { (place, byte) -> [UInt8] in
            place % 60 == 59 ? [byte, 0x0D, 0x0A, 0x20] : [byte]
        }
        #expect(try opened([0x0A] + wrapped + [0x0A], "key") == Array(long.utf8))
        #expect(try seal(long, algorithm).text != text, "salt and beginning are new every time")
    }

    @Test func `without a word it is gcm`() throws {
        let text = try seal("hello", .gcm).text
        #expect(try opened(Array(text.dropFirst(4)), "key") == Array("hello".utf8))
    }

    @Test func `another key and every change of a gcm text are one refusal`() throws {
        let text = String(decoding: try seal("hello", .gcm).text, as: UTF8.self)
        #expect(refusal(text, "Key") == .cannotOpen)
        let bytes = try #require(Data(base64Encoded: String(text.dropFirst(4))))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(refusal("gcm:" + changed.base64EncodedString()) == .cannotOpen)
        }
    }

    @Test func `wrong padding and what is no text are the same refusal as another key`() throws {
        let sealed = String(
            decoding: try seal("a text of two blocks at least", .cbc).text.dropFirst(4),
            as: UTF8.self
        )
        var bytes = try #require(Data(base64Encoded: sealed))
        // The block before the last one goes into the padding.
        bytes[bytes.count - 17] ^= 0x80
        #expect(refusal("cbc:" + bytes.base64EncodedString()) == .cannotOpen)
        bytes.removeLast(16)
        #expect(refusal("cbc:" + bytes.base64EncodedString()) == .cannotOpen)
        let long = try seal("a text that is long enough, so that garbage is no UTF-8, ever", .ctr)
        #expect(refusal(String(decoding: long.text, as: UTF8.self), "other") == .cannotOpen)
    }

    @Test(arguments: [
        "", ":", "gcm:", "gcm", "xyz:AAAA", "GCM:AAAA", "gcm:AAA", "gcm:AA=A", "gcm:A*AA", "gcm:gcm:AAAA",
        "🔒",
    ])
    func `what is no such text is said to be none`(text: String) {
        #expect(isMalformed(text))
    }

    @Test func `every length that no text has is refused`() {
        for count in 0..<100 {
            let text = Data(repeating: 7, count: count).base64EncodedString()
            #expect(isMalformed("gcm:" + text) == (count < 44))
            #expect(isMalformed("cbc:" + text) == (count < 48 || count % 16 != 0))
            #expect(isMalformed("ctr:" + text) == (count < 32))
        }
    }

    @Test func `too much, no text, and no key are refused before anything is derived`() throws {
        let long = [UInt8](repeating: 0x61, count: CipherText.longestPlaintext + 1)
        #expect(throws: TextCipherError.tooLong) { try CipherText.seal(long, as: .gcm, key: [1]) }
        #expect(throws: TextCipherError.tooLong) {
            try CipherText(text: [UInt8](repeating: 0x41, count: CipherText.longestText + 1))
        }
        #expect(throws: TextCipherError.notText) { try CipherText.seal([0xFF], as: .gcm, key: [1]) }
        #expect(throws: TextCipherError.emptyKey) { try CipherText.seal([0x61], as: .gcm, key: [UInt8]()) }
    }
}
