import Testing
import VaultCrypto

struct KeyAgreementTests {
    // RFC 7748 section 5.2. The second public key has its top bit set, which must be ignored.
    @Test(
        arguments: [
            (
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
            ),
            (
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
            ),
        ])
    func `X25519 is as RFC 7748 prints it`(secret: String, publicKey: String, shared: String) throws {
        let found = try KeyAgreement.sharedSecret([UInt8](hex: secret), with: [UInt8](hex: publicKey))
        #expect(Hex.encode(exposed(found)) == shared)
    }

    // RFC 7748 section 5.2: k, u = X25519(k, u), k over and over, beginning with 9 for both.
    @Test(
        arguments: [
            (1, "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"),
            (1000, "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"),
        ])
    func `X25519 fed with its own results is as RFC 7748 prints it`(times: Int, result: String) throws {
        var scalar = [9] + [UInt8](repeating: 0, count: 31)
        var point = scalar
        for _ in 0..<times {
            (scalar, point) = (exposed(try KeyAgreement.sharedSecret(scalar, with: point)), scalar)
        }
        #expect(Hex.encode(scalar) == result)
    }

    @Test func `two people agree as in RFC 7748 section 6 1`() throws {
        let alice = [UInt8](hex: "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = [UInt8](hex: "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        let fromAlice = try KeyAgreement.publicKey(of: alice)
        let fromBob = try KeyAgreement.publicKey(of: try SecretBytes(copying: bob))
        #expect(Hex.encode(fromAlice) == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        #expect(Hex.encode(fromBob) == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        let shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        #expect(Hex.encode(exposed(try KeyAgreement.sharedSecret(alice, with: fromBob))) == shared)
        #expect(Hex.encode(exposed(try KeyAgreement.sharedSecret(bob, with: fromAlice))) == shared)
    }

    // The points of order 1, 2, 4 and 8 on the curve and its twist, in every spelling below 2^255: 0, 1,
    // the two of order 8, p - 1, p and p + 1.
    static let lowOrder = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test(arguments: lowOrder, [0, 0x80] as [UInt8])
    func `a low-order point is refused`(point: String, topBit: UInt8) {
        var publicKey = [UInt8](hex: point)
        publicKey[31] |= topBit
        #expect(KeyAgreement.isLowOrder(publicKey))
        for secret in [[UInt8].counting(32), Array(repeating: 0xFF, count: 32)] {
            #expect(throws: CryptoError.badPublicKey) {
                _ = try KeyAgreement.sharedSecret(secret, with: publicKey)
            }
        }
    }

    @Test(arguments: [2, 9, 0xFF] as [UInt8])
    func `an ordinary point is not of low order`(first: UInt8) {
        #expect(!KeyAgreement.isLowOrder([first] + [UInt8](repeating: 0, count: 31)))
    }

    // RFC 7748 section 5: implementations must accept non-canonical values, reduced modulo p.
    @Test(arguments: 2...18)
    func `a point spelt beyond the prime counts as its remainder`(value: Int) throws {
        let secret = [UInt8].counting(32)
        let small = [UInt8(value)] + [UInt8](repeating: 0, count: 31)
        let large = [UInt8(0xED + value)] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        let expected = exposed(try KeyAgreement.sharedSecret(secret, with: small))
        #expect(exposed(try KeyAgreement.sharedSecret(secret, with: large)) == expected)
    }

    @Test(arguments: [0, 31, 33])
    func `a key of another size is refused`(size: Int) {
        let wrong = [UInt8].counting(size)
        let refusal = CryptoError.wrongSize(expected: 32, found: size)
        #expect(throws: refusal) { _ = try KeyAgreement.publicKey(of: wrong) }
        #expect(throws: refusal) { _ = try KeyAgreement.sharedSecret(wrong, with: [UInt8].counting(32)) }
        #expect(throws: refusal) { _ = try KeyAgreement.sharedSecret([UInt8].counting(32), with: wrong) }
        #expect(KeyAgreement.isLowOrder(wrong))
    }
}
