import Testing

import VaultCrypto

/// What the writer of sealed contents writes, byte by byte, and how it grows.
@Suite struct SecretWriterTests {
    private enum Failure: ContentFailure {
        case contentEnds, tooLong, crypto

        static func fieldTooLong(limit: Int) -> Failure { .tooLong }

        init(_ error: CryptoError) { self = .crypto }
    }

    private func written(
        capacity: Int = 1_024,
        _ write: (inout SecretWriter<Failure>) throws(Failure) -> Void
    ) throws -> [UInt8] {
        var writer = try SecretWriter<Failure>(capacity: capacity)
        try write(&writer)
        let count = writer.count
        let bytes = try writer.finish().withBytes { $0.copied() }
        #expect(bytes.count == count)
        return bytes
    }

    @Test func `numbers are big-endian and as wide as their type, and a field has its length before it`()
        throws
    {
        let bytes = try written { (writer) throws(Failure) in
            try writer.byte(1)
            try writer.number(0x0203 as UInt16)
            try writer.number(0x0405_0607 as UInt32)
            try writer.number(0x0809_0A0B_0C0D_0E0F as UInt64)
            try writer.string([0x10, 0x11])
            try writer.raw([0x12])
            try writer.string([UInt8]())
            try writer.raw([UInt8]())
        }
        #expect(bytes == Array(1...15) + [0, 0, 0, 2, 0x10, 0x11, 0x12, 0, 0, 0, 0])
    }

    @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 2_048, 2_049, 70_000], [0, 1, 1_024])
    func `a content of any length is kept whole, in one piece or byte by byte`(length: Int, capacity: Int)
        throws
    {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(
            try written(capacity: capacity) { (writer) throws(Failure) in try writer.raw(content) } == content
        )
        let slowly = try written(capacity: capacity) { (writer) throws(Failure) in
            for byte in content { try writer.byte(byte) }
        }
        #expect(slowly == content)
    }

    @Test func `secrets come in from locked memory, and the reader reads what was written`() throws {
        let secret = try Secret(copying: [UInt8](repeating: 9, count: 3_000))
        var writer = try SecretWriter<Failure>(capacity: 16)
        try writer.number(7 as UInt32)
        try writer.string(secret)
        var reader = SecretReader<Failure>(try writer.content())
        #expect(try reader.uint32() == 7)
        #expect(try ConstantTime.equal(reader.part(limit: 3_000), secret))
        #expect(reader.isAtEnd)
    }
}
