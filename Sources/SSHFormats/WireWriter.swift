/// Writes the fields of RFC 4251 section 5 as public bytes, first to last.
public struct WireWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty writer.
    public init() {}

    /// Bytes as they are, without a length.
    public mutating func raw(_ bytes: some Sequence<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    /// One byte.
    public mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// A number of four bytes.
    public mutating func uint32(_ number: UInt32) {
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// A number of eight bytes.
    public mutating func uint64(_ number: UInt64) {
        uint32(UInt32(truncatingIfNeeded: number >> 32))
        uint32(UInt32(truncatingIfNeeded: number))
    }

    /// Bytes with their length before them; a length of 4 GiB or more cannot be written and traps.
    public mutating func string(_ string: [UInt8]) {
        uint32(UInt32(string.count))
        raw(string)
    }

    /// Text with its length before it.
    public mutating func string(_ text: String) {
        string(Array(text.utf8))
    }

    /// A number of any size that is not negative, big-endian, in its shortest form.
    public mutating func mpint(_ magnitude: [UInt8]) {
        let digits = magnitude.drop { $0 == 0 }
        let isHigh = digits.first ?? 0 >= 0x80
        uint32(UInt32(digits.count + (isHigh ? 1 : 0)))
        if isHigh { byte(0) }
        raw(digits)
    }
}
