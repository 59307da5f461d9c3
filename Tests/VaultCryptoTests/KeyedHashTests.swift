import Testing
import VaultCrypto

struct KeyedHashTests {
    // The official keyed known answers of BLAKE2b: key 00…3f, message 00, 01, … of that length.
    @Test(
        arguments: [
            (
                0,
                """
                10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786
                b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568
                """
            ),
            (
                1,
                """
                961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4
                187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd
                """
            ),
            (
                2,
                """
                da2cfbe2d8409a0f38026113884f84b50156371ae304c4430173d08a99d9fb1b
                983164a3770706d537f49e0c916d9f32b95cc37a95b99d857436f0232c88a965
                """
            ),
            (
                255,
                """
                142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e9248
                4be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461
                """
            ),
        ])
    func `a keyed hash is as the official list prints it`(count: Int, hash: String) throws {
        let key = [UInt8].counting(64)
        let expected = [UInt8](hex: hash)
        #expect(try KeyedHash.blake2b([UInt8].counting(count), key: key, count: 64) == expected)
        let secret = try KeyedHash.secretBlake2b([UInt8].counting(count), key: key, count: 64)
        #expect(exposed(secret) == expected)
    }

    @Test func `the unkeyed hash is as RFC 7693 appendix A prints it`() throws {
        let expected = [UInt8](
            hex: """
                ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1
                7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
                """
        )
        let message = Array("abc".utf8)
        #expect(try KeyedHash.blake2b(message, count: 64) == expected)
        #expect(try KeyedHash.blake2b(message, key: [UInt8](), count: 64) == expected)
        #expect(exposed(try KeyedHash.secretBlake2b(message, key: [UInt8](), count: 64)) == expected)
    }

    // Computed with Python's hashlib.
    @Test(
        arguments: [
            (32, 16, "9327116bcb0e28965bb351891c542c66"),
            (16, 32, "57134c38061f4d08069d7f4b1aa24dc537bc2f5ef855dc44969521f993ee0108"),
        ])
    func `the sizes enter the hash`(keySize: Int, count: Int, hash: String) throws {
        let found = try KeyedHash.blake2b(Array("lane".utf8), key: [UInt8].counting(keySize), count: count)
        #expect(Hex.encode(found) == hash)
    }

    @Test(arguments: [(1, 16), (15, 16), (65, 64)])
    func `a key outside 16 to 64 bytes is refused`(size: Int, limit: Int) {
        #expect(throws: CryptoError.wrongSize(expected: limit, found: size)) {
            _ = try KeyedHash.blake2b([UInt8](), key: [UInt8].counting(size), count: 32)
        }
    }

    @Test(arguments: [(0, 16), (15, 16), (65, 64), (-1, 16)])
    func `a count outside 16 to 64 is refused`(count: Int, limit: Int) {
        #expect(throws: CryptoError.wrongSize(expected: limit, found: count)) {
            _ = try KeyedHash.blake2b([UInt8](), count: count)
        }
        #expect(throws: CryptoError.wrongSize(expected: limit, found: count)) {
            _ = try KeyedHash.secretBlake2b([UInt8](), key: [UInt8](), count: count)
        }
    }
}
