import HSIP
import Testing
import VaultCrypto

/// Nonces stay distinct when one of their sources fails.
struct HedgedNonceTests {
    private let key = [UInt8](repeating: 1, count: 32)
    private let random = [UInt8](repeating: 0, count: 16)

    @Test func `a broken generator and a counter that stands still repeat no nonce for other texts`() {
        let nonces = (0..<1000).map {
            HedgedNonce.make(nonceKey: key, random: random, counter: 1, plaintext: Array("text \($0)".utf8))
        }
        #expect(Set(nonces).count == 1000)
        #expect(nonces.allSatisfy { $0.count == 12 })
    }

    @Test func `the same text gets another nonce with every count and every random value`() {
        let text = Array("hello".utf8)
        let counted = (1...1000).map {
            HedgedNonce.make(nonceKey: key, random: random, counter: $0, plaintext: text)
        }
        let drawn = (1...200).map { value in
            HedgedNonce.make(
                nonceKey: key,
                random: [UInt8](repeating: UInt8(value), count: 16),
                counter: 0,
                plaintext: text
            )
        }
        #expect(Set(counted + drawn).count == 1200)
    }

    @Test func `the counter is big-endian and four bytes long`() {
        let expected = HMACSHA256.tag(random + [1, 2, 3, 4] + Hash.sha256([UInt8]()), key: key).prefix(12)
        let nonce = HedgedNonce.make(
            nonceKey: key,
            random: random,
            counter: 0x0102_0304,
            plaintext: [UInt8]()
        )
        #expect(nonce == Array(expected))
    }

    @Test func `an imported key has a nonce key of its own`() throws {
        let expected = HMACSHA256.tag(Array("HSIP-XC1/nonce-legacy".utf8) + [0], key: key)
        expect(try HedgedNonce.legacyKey(of: key), is: expected)
        #expect(expected != key)
    }
}
