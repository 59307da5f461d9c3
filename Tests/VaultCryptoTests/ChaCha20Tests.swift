import Testing
import VaultCrypto

struct ChaCha20Tests {
    @Test func `the stream of the zero key is as draft-agl-tls-chacha20poly1305 prints it`() throws {
        let zero = [UInt8](repeating: 0, count: 64)
        let stream = try ChaCha20.xor(zero, key: zero.prefix(32), nonce: Array(zero.prefix(8)), block: 0)
        let printed =
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            + "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        #expect(exposed(stream) == [UInt8](hex: printed))
    }

    @Test func `a later block continues the stream`() throws {
        let key = [UInt8].counting(32)
        let nonce = [UInt8].counting(8)
        let whole = exposed(
            try ChaCha20.xor([UInt8](repeating: 0, count: 200), key: key, nonce: nonce, block: 0)
        )
        let rest = exposed(
            try ChaCha20.xor([UInt8](repeating: 0, count: 136), key: key, nonce: nonce, block: 1)
        )
        #expect(rest == Array(whole[64...]))
    }

    @Test(arguments: [31, 33])
    func `a key of another size is refused`(size: Int) {
        #expect(throws: CryptoError.wrongSize(expected: 32, found: size)) {
            _ = try ChaCha20.xor([1], key: [UInt8](repeating: 0, count: size), nonce: .counting(8), block: 0)
        }
    }

    @Test func `a tag is as RFC 8439 section 2_5_2 prints it`() throws {
        let key = [UInt8](hex: "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
        let tag = try Poly1305.tag(Array("Cryptographic Forum Research Group".utf8), key: key)
        #expect(tag == [UInt8](hex: "a8061dc1305136c6c22b8baf0c0127a9"))
    }

    @Test func `a tag needs 32 bytes of key`() {
        #expect(throws: CryptoError.wrongSize(expected: 32, found: 0)) { try Poly1305.tag([1], key: []) }
    }
}
