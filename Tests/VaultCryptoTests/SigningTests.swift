import Testing
import VaultCrypto

struct SigningTests {
    @Test(arguments: Ed25519Vector.all)
    func `keys and signatures are as RFC 8032 prints them`(vector: Ed25519Vector) throws {
        let seed = try SecretBytes(copying: [UInt8](hex: vector.seed))
        let message = [UInt8](hex: vector.message)
        let publicKey = try Signing.publicKey(seed: seed)
        #expect(publicKey == [UInt8](hex: vector.publicKey))
        let signature = try Signing.sign(message, seed: seed)
        #expect(signature == [UInt8](hex: vector.signature))
        #expect(Signing.isValid(signature, message: message, publicKey: publicKey))
    }

    @Test func `one changed bit of the signature is refused`() throws {
        let (publicKey, signature) = try signed([1, 2, 3])
        for bit in 0..<signature.count * 8 {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Signing.isValid(changed, message: [1, 2, 3], publicKey: publicKey))
        }
    }

    @Test func `another message or key is refused`() throws {
        let (publicKey, signature) = try signed([1, 2, 3])
        let other = try Signing.publicKey(seed: [UInt8].counting(32, from: 1))
        #expect(!Signing.isValid(signature, message: [1, 2, 4], publicKey: publicKey))
        #expect(!Signing.isValid(signature, message: [1, 2, 3, 0], publicKey: publicKey))
        #expect(!Signing.isValid(signature, message: [1, 2, 3], publicKey: other))
    }

    @Test(arguments: [0, 63, 65])
    func `a signature of another size is not valid`(size: Int) throws {
        let (publicKey, signature) = try signed([1])
        let wrong = Array((signature + [0]).prefix(size))
        #expect(!Signing.isValid(wrong, message: [1], publicKey: publicKey))
    }

    @Test(arguments: [0, 31, 33])
    func `a key of another size is refused`(size: Int) throws {
        let (publicKey, signature) = try signed([1])
        let wrong = Array((publicKey + [0]).prefix(size))
        #expect(!Signing.isValid(signature, message: [1], publicKey: wrong))
        let refusal = CryptoError.wrongSize(expected: 32, found: size)
        #expect(throws: refusal) { _ = try Signing.sign([1], seed: [UInt8].counting(size)) }
        #expect(throws: refusal) { _ = try Signing.publicKey(seed: [UInt8].counting(size)) }
    }

    /// S and S + kL satisfy the same equation; only the smallest may count.
    @Test(arguments: [1, 2, 7, 14])
    func `a signature with multiples of the group order added is refused`(times: Int) throws {
        let order = [UInt8](hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        let (publicKey, signature) = try signed([1, 2, 3])
        var changed = signature
        for _ in 0..<times {
            var carry = 0
            for index in 0..<32 {
                let sum = Int(changed[32 + index]) + Int(order[index]) + carry
                changed[32 + index] = UInt8(sum & 0xFF)
                carry = sum >> 8
            }
            try #require(carry == 0)
        }
        #expect(Signing.isValid(signature, message: [1, 2, 3], publicKey: publicKey))
        #expect(!Signing.isValid(changed, message: [1, 2, 3], publicKey: publicKey))
    }

    // All spellings of the eight points of small order. Each message was searched for so that this one
    // signature, made without any secret key, satisfies SB = R + hA for that key: a verifier that does not
    // look at the order of the key accepts all fourteen.
    @Test(
        arguments: [
            ("0000000000000000000000000000000000000000000000000000000000000000", 1),
            ("0000000000000000000000000000000000000000000000000000000000000080", 4),
            ("0100000000000000000000000000000000000000000000000000000000000000", 0),
            ("0100000000000000000000000000000000000000000000000000000000000080", 0),
            ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", 6),
            ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85", 1),
            ("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", 21),
            ("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", 2),
            ("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", 2),
            ("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 7),
            ("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", 11),
            ("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 9),
            ("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", 0),
            ("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 0),
        ] as [(String, UInt8)]
    )
    func `a public key of small order is refused though the equation holds`(key: String, message: UInt8) {
        let signature = [UInt8](
            hex: """
                62244e218f4deae680de9a6832ab808cbda6da6451c5caae6be7eca4d466b5d9
                87d6120000000000000000000000000000000000000000000000000000000000
                """
        )
        #expect(!Signing.isValid(signature, message: [message], publicKey: [UInt8](hex: key)))
    }

    // Made with the nonce zero, so R is the neutral point: the equation holds, and S gives the key away.
    @Test func `a signature with R of small order is refused though the equation holds`() throws {
        let signature = [UInt8](
            hex: """
                0100000000000000000000000000000000000000000000000000000000000000
                d9a11321625cbfe5fa15be47c8bb72bf01b9dd4ad4b640fb3802739042e2ec0e
                """
        )
        let publicKey = try Signing.publicKey(seed: [UInt8].counting(32))
        #expect(!Signing.isValid(signature, message: Array("zero nonce".utf8), publicKey: publicKey))
    }

    // A point of order eight is added to the key, to R, or to both. The first and the last satisfy the equation as it
    // stands, all of them with the cofactor: which counts is another thing in libsodium 1.0.18 and 1.0.19.
    @Test(
        arguments: [
            (
                "26249bc31eb7ed2775e3672747440647542f4a3d3d6cbe2f036706ddef390a88",
                "a4b03357d5796d972acf2013051cb8a8c2c16847aba1ff2844a4a3c522385b55",
                "810659b8fee646da8ffded31101dfdf7cf4032dc372a8128a478cbdfee4eda04", 1, false
            ),
            (
                "26249bc31eb7ed2775e3672747440647542f4a3d3d6cbe2f036706ddef390a88",
                "a4b03357d5796d972acf2013051cb8a8c2c16847aba1ff2844a4a3c522385b55",
                "dc3a13bef767e11913786f747967bb670efb9df0e73eb9c0f14c0550ab4d0f00", 0, false
            ),
            (
                "90e2ae4263b67886f7f9c38e63c55417ab29d9107fb27c9f19cae3f32dfe086f",
                "171a64dc205822dbe52664644ae3c568ed30655cf84648c5c51823837bc58a40",
                "568d045b3921ac0d2219d5f824f35b2329db2e8f1572232037a9d562da776002", 0, false
            ),
            (
                "26249bc31eb7ed2775e3672747440647542f4a3d3d6cbe2f036706ddef390a88",
                "171a64dc205822dbe52664644ae3c568ed30655cf84648c5c51823837bc58a40",
                "6fb1bf9b0f9fb6606a0b3a12c084b36ddd69d405ab99dead803d36a8c4f06600", 14, false
            ),
            // Without any point of small order.
            (
                "90e2ae4263b67886f7f9c38e63c55417ab29d9107fb27c9f19cae3f32dfe086f",
                "a4b03357d5796d972acf2013051cb8a8c2c16847aba1ff2844a4a3c522385b55",
                "eaedaa218c5f16dda641f434fb2ad9c353db4d5fdc3461a74830e34d9d39f004", 0, true
            ),
        ] as [(String, String, String, UInt8, Bool)]
    )
    func `a signature counts the same whether the equation has the cofactor or not`(
        key: String,
        point: String,
        scalar: String,
        message: UInt8,
        isGood: Bool
    ) {
        let signature = [UInt8](hex: point + scalar)
        #expect(
            Signing.isValid(signature, message: [message], publicKey: [UInt8](hex: key)) == isGood
        )
    }

    /// The public key of a fixed seed, and its signature of a message.
    private func signed(_ message: [UInt8]) throws -> (publicKey: [UInt8], signature: [UInt8]) {
        let seed = [UInt8].counting(32)
        return (try Signing.publicKey(seed: seed), try Signing.sign(message, seed: seed))
    }
}
