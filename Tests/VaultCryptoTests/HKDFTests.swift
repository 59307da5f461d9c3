import Testing
import VaultCrypto

struct HKDFTests {
    struct Vector: Sendable {
        let material: [UInt8]
        let salt: [UInt8]
        let info: [UInt8]
        let extracted: String
        let expanded: String
    }

    /// RFC 5869 appendix A, the cases of SHA-256.
    static let vectors = [
        Vector(
            material: Array(repeating: 0x0B, count: 22),
            salt: .counting(13),
            info: .counting(10, from: 0xF0),
            extracted: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            expanded: """
                3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf
                34007208d5b887185865
                """
        ),
        Vector(
            material: .counting(80),
            salt: .counting(80, from: 0x60),
            info: .counting(80, from: 0xB0),
            extracted: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            expanded: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
        ),
        Vector(
            material: Array(repeating: 0x0B, count: 22),
            salt: [],
            info: [],
            extracted: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            expanded: """
                8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d
                9d201395faa4b61a96c8
                """
        ),
    ]

    @Test(arguments: vectors)
    func `extract and expand are as RFC 5869 prints them`(vector: Vector) throws {
        let key = try HKDF.extract(salt: vector.salt, keyMaterial: vector.material)
        #expect(Hex.encode(exposed(key)) == vector.extracted)
        let expected = [UInt8](hex: vector.expanded)
        #expect(exposed(try HKDF.expand(key, info: vector.info, count: expected.count)) == expected)
    }

    @Test(arguments: [1, 31, 32, 33, 64, 65, 8160])
    func `a shorter output is the beginning of the longest`(count: Int) throws {
        let key = [UInt8].counting(32)
        let all = exposed(try HKDF.expand(key, info: [1], count: HKDF.longestOutput))
        #expect(exposed(try HKDF.expand(key, info: [1], count: count)) == Array(all.prefix(count)))
    }

    @Test(arguments: [(0, 1), (-1, 1), (8161, 8160)])
    func `a count outside 1 to 8160 is refused`(count: Int, limit: Int) {
        #expect(throws: CryptoError.wrongSize(expected: limit, found: count)) {
            _ = try HKDF.expand([UInt8].counting(32), info: [], count: count)
        }
    }

    @Test func `a key that is not pseudorandom for its size is refused`() {
        #expect(throws: CryptoError.wrongSize(expected: 32, found: 31)) {
            _ = try HKDF.expand([UInt8].counting(31), info: [], count: 32)
        }
    }

    @Test func `another info gives another key`() throws {
        let key = [UInt8].counting(32)
        let first = try HKDF.expand(key, info: [1], count: 32)
        let second = try HKDF.expand(key, info: [2], count: 32)
        #expect(exposed(first) != exposed(second))
    }
}
