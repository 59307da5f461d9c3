/// The errors of a reader or writer, which each module maps to errors of its own.
package protocol ContentFailure: Error {
    /// The content is shorter than its lengths say.
    static var contentEnds: Self { get }
    /// A field is longer than `limit` bytes; its bytes were not read.
    static func fieldTooLong(limit: Int) -> Self
    /// Converts an error of this module, such as missing locked memory.
    init(_ error: CryptoError)
}

/// Reads a content in locked memory from first to last; its secrets stay in locked memory.
///
/// Numbers are big-endian, and a field begins with its length in four bytes. The reader compares a length with the limit
/// and with the remaining bytes before it slices. So no input makes it trap or allocate more than the input's own size.
package struct SecretReader<Failure: ContentFailure> {
    private let content: Secret
    /// The number of bytes that were read.
    package private(set) var position = 0

    /// Starts at the beginning of a content.
    package init(_ content: Secret) { self.content = content }

    /// The number of bytes that were not read yet.
    package var remaining: Int { content.count - position }
    /// True if everything was read.
    package var isAtEnd: Bool { remaining == 0 }

    /// Reads the next byte.
    package mutating func byte() throws(Failure) -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }

    /// Reads the next number of two bytes.
    package mutating func uint16() throws(Failure) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }

    /// Reads the next number of four bytes.
    package mutating func uint32() throws(Failure) -> UInt32 { UInt32(truncatingIfNeeded: try number(4)) }

    /// Reads the next number of eight bytes.
    package mutating func uint64() throws(Failure) -> UInt64 { try number(8) }

    /// Reads the next `count` bytes, which are not secret.
    package mutating func take(_ count: Int) throws(Failure) -> [UInt8] {
        let range = try skip(count)
        return withBytes(of: range) { $0.copied() }
    }

    /// Reads the next `count` bytes into new locked memory.
    package mutating func secret(count: Int) throws(Failure) -> SecretBytes { try slice(try skip(count)) }

    /// Reads the next field, whose bytes are not secret.
    package mutating func string(limit: Int) throws(Failure) -> [UInt8] {
        let range = try field(limit: limit)
        return withBytes(of: range) { $0.copied() }
    }

    /// Reads the next field into new locked memory.
    package mutating func secret(limit: Int) throws(Failure) -> SecretBytes {
        try slice(try field(limit: limit))
    }

    /// Reads the next field as a part of the content's memory, which it keeps alive.
    package mutating func part(limit: Int) throws(Failure) -> Secret {
        let range = try field(limit: limit)
        do throws(CryptoError) { return try content.part(range) } catch { throw Failure(error) }
    }

    /// Reads the length of the next field, skips the field, and returns its range.
    package mutating func field(limit: Int) throws(Failure) -> Range<Int> {
        let count = try uint32()
        guard count <= UInt32(clamping: limit) else { throw .fieldTooLong(limit: limit) }
        return try skip(Int(count))
    }

    /// Copies a range that was read into new locked memory.
    package func slice(_ range: Range<Int>) throws(Failure) -> SecretBytes {
        do throws(CryptoError) { return try content.slice(range) } catch { throw Failure(error) }
    }

    /// Passes the bytes of a range that was read to `body`.
    package func withBytes<R>(of range: Range<Int>, _ body: (RawSpan) -> R) -> R {
        content.withBytes { body($0.extracting(range)) }
    }

    private mutating func skip(_ count: Int) throws(Failure) -> Range<Int> {
        guard count >= 0, count <= remaining else { throw .contentEnds }
        defer { position += count }
        return position..<position + count
    }

    private mutating func number(_ width: Int) throws(Failure) -> UInt64 {
        let range = try skip(width)
        return withBytes(of: range) { span in
            (0..<width).reduce(0) { $0 << 8 | UInt64(span.byte(at: $1)) }
        }
    }
}
