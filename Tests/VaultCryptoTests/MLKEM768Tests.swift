import Support
import Testing
import VaultCrypto

/// The known answers of Wycheproof (Schemas/vectors/mlkem-768.json) and of suite 02, by the product's own functions.
struct MLKEM768Tests {
    /// One row: its fields by name.
    private struct Row {
        let fields: [String: Any]

        func hex(_ name: String) throws -> [UInt8] {
            try #require((fields[name] as? String).flatMap { Hex.decode($0) }, "\(name) of \(fields)")
        }

        var isValid: Bool { fields["valid"] as? Bool != false }
    }

    private static func rows(_ file: String, _ name: String) throws -> [Row] {
        let file = try #require(try StoreVectors.load(file) as? [String: Any])
        return try #require(file[name] as? [[String: Any]]).map(Row.init)
    }

    @Test func `every seed of Wycheproof gives its public key`() throws {
        let rows = try Self.rows("mlkem-768.json", "keys")
        #expect(rows.count == 100)
        for row in rows {
            let key = try MLKEM768.publicKey(of: try row.hex("seed"))
            #expect(Hash.sha256(key) == (try row.hex("ek_sha256")))
        }
    }

    @Test func `every encapsulation of Wycheproof has its ciphertext and secret, or is refused`() throws {
        let rows = try Self.rows("mlkem-768.json", "encapsulation")
        #expect(rows.count == 265)
        for row in rows {
            let (key, random) = (try row.hex("ek"), try row.hex("m"))
            guard row.isValid else {
                #expect(throws: CryptoError.self) { try MLKEM768.encapsulate(to: key, random: random) }
                #expect(throws: CryptoError.self) { try MLKEM768.check(key) }
                continue
            }
            try MLKEM768.check(key)
            let made = try MLKEM768.encapsulate(to: key, random: random)
            #expect(Hash.sha256(made.ciphertext) == (try row.hex("c_sha256")))
            #expect(made.secret.withBytes { $0.copied() } == (try row.hex("K")))
        }
    }

    @Test func `every decapsulation of Wycheproof gives its secret, or is refused`() throws {
        let rows = try Self.rows("mlkem-768.json", "decapsulation")
        #expect(rows.count == 193)
        for row in rows {
            let (seed, ciphertext) = (try row.hex("seed"), try row.hex("c"))
            guard row.isValid else {
                #expect(throws: CryptoError.self) {
                    _ = try MLKEM768.decapsulate(ciphertext, seed: seed)
                }
                continue
            }
            #expect(exposed(try MLKEM768.decapsulate(ciphertext, seed: seed)) == (try row.hex("K")))
        }
    }

    @Test func `a changed ciphertext gives another secret and no error`() throws {
        let rows = try Self.rows("suite02.json", "kem")
        #expect(rows.count == 3)
        for row in rows {
            let (seed, key) = (try row.hex("seed"), try row.hex("public"))
            #expect(try MLKEM768.publicKey(of: seed) == key)
            let made = try MLKEM768.encapsulate(to: key, random: try row.hex("random"))
            #expect(made.ciphertext == (try row.hex("ciphertext")))
            #expect(made.secret.withBytes { $0.copied() } == (try row.hex("secret")))
            let secret = try MLKEM768.decapsulate(made.ciphertext, seed: seed)
            #expect(exposed(secret) == (try row.hex("secret")))
            let rejected = try MLKEM768.decapsulate(try row.hex("changed_ciphertext"), seed: seed)
            #expect(exposed(rejected) == (try row.hex("rejection_secret")))
        }
    }

    @Test func `wrong lengths are refused`() throws {
        let (seed, random) = ([UInt8].counting(64), [UInt8].counting(32))
        let key = try MLKEM768.publicKey(of: seed)
        for wrong in [[], Array(key.dropLast()), key + [0]] {
            #expect(throws: CryptoError.wrongSize(expected: 1184, found: wrong.count)) {
                try MLKEM768.encapsulate(to: wrong, random: random)
            }
        }
        for wrong in [63, 65, 0] {
            #expect(throws: CryptoError.wrongSize(expected: 64, found: wrong)) {
                try MLKEM768.publicKey(of: [UInt8].counting(wrong))
            }
        }
        #expect(throws: CryptoError.wrongSize(expected: 32, found: 31)) {
            try MLKEM768.encapsulate(to: key, random: [UInt8].counting(31))
        }
    }
}
