/// Writes a content into locked memory for a `SecretReader`.
///
/// Numbers are big-endian, and a field begins with its length in four bytes. Memory that becomes too small is replaced and
/// wiped.
package struct SecretWriter<Failure: ContentFailure>: ~Copyable {
    private var memory: SecretBytes
    /// The number of bytes that were written.
    package private(set) var count = 0

    /// Makes an empty content with room for `capacity` bytes before it grows.
    package init(capacity: Int = 1_024) throws(Failure) {
        do throws(CryptoError) { memory = try SecretBytes(count: capacity) } catch { throw Failure(error) }
    }

    /// Writes one byte.
    package mutating func byte(_ byte: UInt8) throws(Failure) { try raw([byte]) }

    /// Writes a number in as many bytes as its type has; no format uses the size of `Int`, so it is not accepted.
    package mutating func number(_ number: some FixedWidthInteger & UnsignedInteger) throws(Failure) {
        try raw(number.bigEndianBytes)
    }

    /// Writes bytes without a length.
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

    /// Writes a field: the length, then the bytes.
    package mutating func string(_ bytes: borrowing some ByteSource & ~Copyable) throws(Failure) {
        try number(UInt32(clamping: bytes.count))
        try raw(bytes)
    }

    /// Returns the written bytes in memory of their size.
    package consuming func finish() throws(Failure) -> SecretBytes {
        guard count < memory.count else { return memory }
        return try Self.copy(memory, size: count)
    }

    /// Returns the written bytes as a shared secret.
    package consuming func content() throws(Failure) -> Secret { Secret(try finish()) }

    /// Copies the first `size` bytes, and appends zeros if there are fewer.
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
    /// The bytes of the number, most significant first.
    package var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}
