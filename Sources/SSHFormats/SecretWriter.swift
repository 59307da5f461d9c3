internal import VaultCrypto

/// Writes the fields of RFC 4251 section 5 into locked memory, which grows as needed.
struct SecretWriter: ~Copyable {
    private var memory: SecretBytes
    private(set) var count = 0

    init(capacity: Int = 4096) throws(SSHFormatError) {
        memory = try unsafe SecretBytes.making(capacity) { _ in true }
    }

    mutating func raw(_ bytes: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) {
        try reserve(bytes.count)
        let start = count
        memory.withMutableBytes { target in
            unsafe target.withUnsafeMutableBytes { target in
                bytes.withBytes { source in
                    unsafe source.withUnsafeBytes {
                        unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: $0)
                    }
                }
            }
        }
        count += bytes.count
    }

    mutating func byte(_ byte: UInt8) throws(SSHFormatError) {
        try raw([byte])
    }

    mutating func uint32(_ number: UInt32) throws(SSHFormatError) {
        var writer = WireWriter()
        writer.uint32(number)
        try raw(writer.bytes)
    }

    mutating func string(_ bytes: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) {
        try uint32(UInt32(clamping: bytes.count))
        try raw(bytes)
    }

    /// A number that is not negative, in its shortest form.
    mutating func mpint(_ number: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) {
        let size = number.count
        let (zeros, first) = number.withBytes { span in
            let zeros = (0..<size).prefix { span.byte(at: $0) == 0 }.count
            return (zeros, zeros < size ? span.byte(at: zeros) : 0)
        }
        try uint32(UInt32(clamping: size - zeros + (first >= 0x80 ? 1 : 0)))
        if first >= 0x80 { try byte(0) }
        try raw(try Self.slice(number, zeros..<size))
    }

    /// The written bytes.
    consuming func finish() throws(SSHFormatError) -> SecretBytes {
        try Self.slice(memory, 0..<count)
    }

    private static func slice(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ range: Range<Int>
    ) throws(SSHFormatError) -> SecretBytes {
        do throws(CryptoError) {
            return try bytes.slice(range)
        } catch {
            throw SSHFormatError(error)
        }
    }

    private mutating func reserve(_ more: Int) throws(SSHFormatError) {
        guard memory.count - count < more else { return }
        memory = try Self.grown(memory, to: max(memory.count * 2, count + more))
    }

    private static func grown(
        _ bytes: borrowing SecretBytes,
        to size: Int
    ) throws(SSHFormatError) -> SecretBytes {
        try unsafe SecretBytes.making(size) { target in
            bytes.withBytes { source in
                unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            }
            return true
        }
    }
}
