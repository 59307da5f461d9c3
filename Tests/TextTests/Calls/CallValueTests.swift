import Testing
import Text

/// The bytes of a value: one form of each, and no other is read.
@Suite struct CallValueTests {
    @Test func `a value is read as it was written`() throws {
        let numbers: [UInt64] = [0, 23, 24, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000, .max]
        let value = CallValue.map([
            "": .null, "a": .bool(true), "b": .list(numbers.map { .unsigned($0) }), "ba": .bytes([0, 0xFF]),
            "é": .list(numbers.map { .negative($0) }), "z": .secret(70_000), "zz": .map(["x": .bool(false)]),
        ])
        #expect(try CallValue(encoded: value.encoded) == value)
    }

    @Test(
        arguments: [
            [], [0x18, 23], [0x19, 0, 0xFF], [0x1A, 0, 0, 0xFF, 0xFF],
            [0x1B, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x38, 0], [0x58, 1, 0], [0x78, 1, 0x61], [0x98, 1, 0], [0xB8, 1, 0x61, 0x61, 0],
            [0x1C], [0x1F], [0x5F, 0xFF], [0x7F, 0xFF], [0x9F, 0xFF], [0xBF, 0xFF], [0xF7], [0xF8, 20],
            [0xF9, 0, 0],
            [0xC0, 0], [0xD9, 0x80, 0, 0x20], [0xDA, 0, 0, 0x80, 0, 0], [0x61, 0xFF], [0x62, 0x61],
            [0xF6, 0xF6],
            [0x82, 0], [0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xA1, 0, 0],
            [0xA1, 0x61, 0x61],
            [0xA2, 0x61, 0x61, 0, 0x61, 0x61, 0], [0xA2, 0x61, 0x62, 0, 0x61, 0x61, 0],
        ] as [[UInt8]]
    ) func `another form of a value, and half of one, are refused`(_ bytes: [UInt8]) {
        #expect(throws: CallFormatError.malformed) { try CallValue(encoded: bytes) }
    }

    @Test func `values have a limit of depth and, if there is one, of number`() throws {
        let towers = [23, 24].map { [UInt8](repeating: 0x81, count: $0) + [0] }
        #expect(throws: Never.self) { try CallValue(encoded: towers[0]) }
        #expect(throws: CallFormatError.malformed) { try CallValue(encoded: towers[1]) }
        let pair = CallValue.map(["a": .list([.null, .null])]).encoded
        #expect(throws: Never.self) { try CallValue(encoded: pair, values: 5) }
        #expect(throws: CallFormatError.malformed) { try CallValue(encoded: pair, values: 4) }
    }
}
