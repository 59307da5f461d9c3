/// Writes what is not secret of a content, piece by piece: numbers are big-endian, texts have their length before
/// them.
struct ContentWriter {
    private var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func uint32(_ number: Int) {
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func uint64(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func text(_ text: String) {
        uint32(text.utf8.count)
        bytes += text.utf8
    }

    /// Returns and forgets the bytes written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
