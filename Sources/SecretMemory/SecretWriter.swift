/// Writes a content into locked memory for a `SecretReader`.
///
/// Numbers are big-endian, and a field has its length in four bytes before it. Memory that
/// becomes too small is wiped.
package struct SecretWriter<Failure: ContentFailure>: ~Copyable {
    private var memory: SecretBytes
    /// How many bytes are written.
    package private(set) var count = 0

    /// An empty content that holds `capacity` bytes before it has to grow.
    package init(capacity: Int = 1_024) throws(Failure) {
        do throws(CryptoError) { memory = try SecretBytes(count: capacity) } catch { throw Failure(error) }
    }

    /// One byte.
    package mutating func byte(_ byte: UInt8) throws(Failure) { try raw([byte]) }

    /// A number in as many bytes as its type has, which cannot be `Int`: no format means that size.
    package mutating func number(_ number: some FixedWidthInteger & UnsignedInteger) throws(Failure) {
        try raw(number.bigEndianBytes)
    }

    /// Bytes as they are, without a length.
    package mutating func raw(_ bytes: borrowing some ByteSource & ~Copyable) throws(Failure) {
        if memory.count - count < bytes.count {
            memory = try Self.copy(memory, size: max(memory.count * 2, count + bytes.count))
        }
        let start = count
        memory.withMutableBytes { target in
            bytes.withBytes { source in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe source.withUnsafeBytes {
                        unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: $0)
                    }
                }
            }
        }
        count += bytes.count
    }

    /// A field: the length, then the bytes.
    package mutating func string(_ bytes: borrowing some ByteSource & ~Copyable) throws(Failure) {
        try number(UInt32(clamping: bytes.count))
        try raw(bytes)
    }

    /// The written bytes, in memory of their own.
    package consuming func finish() throws(Failure) -> SecretBytes {
        guard count < memory.count else { return memory }
        return try Self.copy(memory, size: count)
    }

    /// The same, shared.
    package consuming func content() throws(Failure) -> Secret { Secret(try finish()) }

    /// The first bytes of a memory, with zeros behind them where it has fewer.
    private static func copy(_ bytes: borrowing SecretBytes, size: Int) throws(Failure) -> SecretBytes {
        do throws(CryptoError) {
            return try SecretBytes(count: size) { target in
                bytes.withBytes { source in
                    unsafe target.withUnsafeMutableBytes { target in
                        unsafe source.extracting(0..<min(size, source.byteCount)).withUnsafeBytes {
                            unsafe target.copyMemory(from: $0)
                        }
                    }
                }
            }
        } catch {
            throw Failure(error)
        }
    }
}

extension FixedWidthInteger {
    /// The number, most significant byte first.
    package var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}
