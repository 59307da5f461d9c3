import Testing
import VaultCrypto

struct CrockfordBase32Tests {
    @Test(
        arguments: [
            ([], 0, ""),
            ([0xFF], 8, "ZW"),
            ([0xFF], 5, "Z"),
            ([0xFF], 3, "W"),
            ([0x00, 0x44, 0x32, 0x14, 0xC7], 40, "01234567"),
            ([0x42, 0x54, 0xB6, 0x35, 0xCF], 40, "89ABCDEF"),
            ([0x84, 0x65, 0x3A, 0x56, 0xD7], 40, "GHJKMNPQ"),
            ([0xC6, 0x75, 0xBE, 0x77, 0xDF], 40, "RSTVWXYZ"),
        ] as [([UInt8], Int, String)]
    )
    func `bits become characters, the highest first`(bytes: [UInt8], bits: Int, text: String) throws {
        #expect(CrockfordBase32.encode(bytes, bits: bits) == text)
        let back = try CrockfordBase32.decode(Array(text.utf8), characters: text.utf8.count)
        #expect(CrockfordBase32.encode(back, bits: text.utf8.count * 5) == text)
    }

    @Test(arguments: 0...40)
    func `whole bytes come back`(count: Int) throws {
        let bytes = Entropy.seeded([2]).bytes(count)
        let text = CrockfordBase32.encode(bytes, bits: count * 8)
        let back = try CrockfordBase32.decode(Array(text.utf8), characters: (count * 8 + 4) / 5)
        #expect(Array(back.prefix(count)) == bytes)
        #expect(back.dropFirst(count).allSatisfy { $0 == 0 })
    }

    @Test(
        arguments: [
            "01234567", "O1234567", "o1234567", "0I234567", "0i234567", "0L234567", "0l234567",
            "0123-4567", " 01 23 45 67 ", "\t0123\r\n4567\n", "-0-1-2-3-4-5-6-7-",
        ])
    func `a text is read as people write it`(text: String) throws {
        let bytes = try CrockfordBase32.decode(Array(text.utf8), characters: 8)
        #expect(bytes == [0x00, 0x44, 0x32, 0x14, 0xC7])
    }

    @Test func `case is folded`() throws {
        let upper = try CrockfordBase32.decode(Array("ABCDEFGHJKMNPQRSTVWXYZ".utf8), characters: 22)
        let lower = try CrockfordBase32.decode(Array("abcdefghjkmnpqrstvwxyz".utf8), characters: 22)
        #expect(upper == lower)
    }

    @Test(
        arguments: [
            "U1234567", "u1234567", "0123456", "012345678", "", "0123456!", "0123456=", "012345é",
            "0123_4567", "0123\u{00A0}4567",
        ])
    func `another character or number of characters is refused`(text: String) {
        #expect(throws: CryptoError.malformedText) {
            _ = try CrockfordBase32.decode(Array(text.utf8), characters: 8)
        }
    }
}
