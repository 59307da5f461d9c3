internal import VaultCrypto

/// Writes the content of a record straight into locked memory: big-endian numbers, length-prefixed bytes.
struct ContentWriter: ~Copyable {
    private var buffer: SecretBytes
    private var end = 0

    /// An empty content with room for `capacity` bytes; writing more is `malformed`.
    init(capacity: Int) throws(HSIPError) {
        do { buffer = try SecretBytes(count: capacity) } catch { throw HSIPError(error) }
    }

    mutating func u8(_ value: UInt8) throws(HSIPError) { try raw([value]) }

    mutating func u16(_ value: UInt16) throws(HSIPError) { try raw(value.bigEndianBytes) }

    mutating func u32(_ value: UInt32) throws(HSIPError) { try raw(value.bigEndianBytes) }

    /// A time in Unix seconds; every time of the protocol fits 32 bits.
    mutating func time(_ value: UInt64) throws(HSIPError) { try u32(UInt32(clamping: value)) }

    /// A time that may be missing: 0.
    mutating func time(_ value: UInt64?) throws(HSIPError) { try time(value ?? 0) }

    mutating func raw(_ bytes: borrowing some ByteSource & ~Copyable) throws(HSIPError) {
        let start = end
        guard start + bytes.count <= buffer.count else { throw .malformed }
        buffer.withMutableBytes { target in
            bytes.withBytes { source in
                for offset in 0..<source.byteCount {
                    target.storeBytes(
                        of: source.byte(at: offset),
                        toByteOffset: start + offset,
                        as: UInt8.self
                    )
                }
            }
        }
        end += bytes.count
    }

    /// One length byte, then the bytes.
    mutating func short(_ bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count <= 255 else { throw .malformed }
        try u8(UInt8(bytes.count))
        try raw(bytes)
    }

    /// Two length bytes, then the bytes.
    mutating func long(_ bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count <= 65_535 else { throw .malformed }
        try u16(UInt16(bytes.count))
        try raw(bytes)
    }

    /// The written bytes, in locked memory of their own.
    consuming func finish() throws(HSIPError) -> Secret {
        do { return Secret(try buffer.slice(0..<end)) } catch { throw HSIPError(error) }
    }
}
