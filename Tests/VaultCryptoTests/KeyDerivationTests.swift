import Testing
import VaultCrypto

struct KeyDerivationTests {
    // libsodium's documentation defines a subkey as BLAKE2b with the number as salt, the context as
    // personalisation, no message; these were computed so with Python's hashlib.
    @Test(
        arguments: [
            (0, 16, "be5b19aa3bba4ff7c667126f9ca7729b"),
            (0, 32, "35058b570827584c20997a825acb1693519796ce36d15cecfe1b5653a046cec0"),
            (1, 32, "429231401bff3eee27bc6d387f09ee63daafd6c966cd7409508de2430d182d3f"),
            (
                1, 64,
                """
                580f5e5722b0be721dce54bd07015ecdd341dea57892f4cf8dc4a2df001d3dc6
                7dc01eb11246c01d37962f3c00f12a5a516940587f0bc2d3a188a93911725c01
                """
            ),
            (.max, 32, "292906897785697712dd3a68d85f9679405fb2de9c09d0e1169ff6ace1d62980"),
        ] as [(UInt64, Int, String)]
    )
    func `a subkey is as BLAKE2b makes it`(index: UInt64, count: Int, key: String) throws {
        let found = try KeyDerivation.subkey(
            index,
            context: "HSIPVLT1",
            of: [UInt8].counting(32),
            count: count
        )
        #expect(exposed(found) == [UInt8](hex: key))
    }

    @Test(arguments: ["", "HSIPVLT", "HSIPVLT12"])
    func `a context of another size is refused`(context: String) {
        #expect(throws: CryptoError.wrongSize(expected: 8, found: context.utf8.count)) {
            _ = try KeyDerivation.subkey(1, context: context, of: [UInt8].counting(32))
        }
    }

    @Test func `eight letters that are more than eight bytes are refused`() {
        #expect(throws: CryptoError.wrongSize(expected: 8, found: 16)) {
            _ = try KeyDerivation.subkey(1, context: "ключключ", of: [UInt8].counting(32))
        }
    }

    @Test(arguments: [0, 31, 33])
    func `a master key of another size is refused`(size: Int) {
        #expect(throws: CryptoError.wrongSize(expected: 32, found: size)) {
            _ = try KeyDerivation.subkey(1, context: "HSIPVLT1", of: [UInt8].counting(size))
        }
    }

    @Test(arguments: [(15, 16), (65, 64)])
    func `a count outside 16 to 64 is refused`(count: Int, limit: Int) {
        #expect(throws: CryptoError.wrongSize(expected: limit, found: count)) {
            _ = try KeyDerivation.subkey(1, context: "HSIPVLT1", of: [UInt8].counting(32), count: count)
        }
    }
}
