import SSHFormats
import Support
import Testing

struct WireTests {
    @Test(
        arguments: [
            ([], [0, 0, 0, 0]),
            ([0, 0], [0, 0, 0, 0]),
            ([0x09, 0xA3, 0x78, 0xF9], [0, 0, 0, 4, 0x09, 0xA3, 0x78, 0xF9]),
            ([0x80], [0, 0, 0, 2, 0, 0x80]),
            ([0, 0, 0x7F], [0, 0, 0, 1, 0x7F]),
        ] as [([UInt8], [UInt8])]
    )
    func `numbers are written in their shortest form`(number: [UInt8], written: [UInt8]) throws {
        var writer = WireWriter()
        writer.mpint(number)
        #expect(writer.bytes == written)
        var reader = WireReader(written)
        #expect(try reader.mpint() == Array(number.drop { $0 == 0 }))
        #expect(reader.isAtEnd)
    }

    @Test func `leading zeros of a number are dropped, as OpenSSH does`() throws {
        var reader = WireReader([0, 0, 0, 3, 0, 0, 5])
        #expect(try reader.mpint() == [5])
    }

    @Test func `a negative number is refused`() {
        var reader = WireReader([0, 0, 0, 1, 0x80])
        #expect(throws: SSHFormatError.badNumber) { try reader.mpint() }
    }

    @Test func `a number has at most 16,384 bits`() throws {
        let longest = [0x7F] + [UInt8](repeating: 0xFF, count: WireReader.longestNumber - 1)
        var writer = WireWriter()
        writer.mpint(longest)
        writer.mpint([0xFF] + longest.dropFirst())
        writer.mpint([1] + longest)
        var reader = WireReader(writer.bytes)
        #expect(try reader.mpint() == longest)
        #expect(try reader.mpint().count == WireReader.longestNumber)
        #expect(throws: SSHFormatError.badNumber) { try reader.mpint() }
    }

    @Test func `a length is compared with its limit before anything is read`() {
        var reader = WireReader([0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(throws: SSHFormatError.oversized(limit: 4)) { try reader.string(limit: 4) }
        #expect(throws: SSHFormatError.truncated) { try reader.string(limit: .max) }
        #expect(reader.offset == 0)
    }

    @Test(arguments: 0..<17)
    func `every shortage is an error`(count: Int) {
        var writer = WireWriter()
        writer.byte(1)
        writer.uint32(2)
        writer.uint64(3)
        writer.string([])
        let bytes = writer.bytes
        #expect(throws: SSHFormatError.truncated) {
            var reader = WireReader(Array(bytes.prefix(count)))
            _ = try reader.byte()
            _ = try reader.uint32()
            _ = try reader.uint64()
            _ = try reader.string()
        }
    }

    @Test func `what is written is read`() throws {
        try forAll("fields come back") { generator in
            (generator.bytes(generator.number(in: 0...40)), generator.next())
        } check: { bytes, number in
            var writer = WireWriter()
            writer.string(bytes)
            writer.uint64(number)
            writer.mpint(bytes)
            var reader = WireReader(writer.bytes)
            let fields = try (reader.string(), reader.uint64(), reader.mpint())
            try reader.finish()
            return fields == (bytes, number, Array(bytes.drop { $0 == 0 }))
        }
    }

    @Test(arguments: ["a b", "a\n", "\u{7F}", "é"])
    func `a name is printable ASCII`(name: String) {
        var writer = WireWriter()
        writer.string(name)
        var reader = WireReader(writer.bytes)
        #expect(throws: SSHFormatError.malformed) { try reader.name() }
    }
}
