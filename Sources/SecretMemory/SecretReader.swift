/// What a reader or a writer throws: the error of the module that the content belongs to.
package protocol ContentFailure: Error {
    /// The content ends before what it announces.
    static var contentEnds: Self { get }
    /// A field says that it has more than `limit` bytes; nothing of it was read.
    static func fieldTooLong(limit: Int) -> Self
    /// Locked memory is not to be had.
    init(_ error: CryptoError)
}

/// Reads a content from locked memory, first to last; what is secret stays in locked memory.
///
/// Numbers are big-endian, and a field has its length in four bytes before it. The reader compares a length with its limit
/// and with what is left before it slices, so no input makes it trap or allocate more than the input's own size.
package struct SecretReader<Failure: ContentFailure> {
    private let content: Secret
    /// How many bytes are read.
    package private(set) var position = 0

    /// Reads a content from its beginning.
    package init(_ content: Secret) { self.content = content }

    /// How many bytes are not read yet.
    package var remaining: Int { content.count - position }
    /// Whether everything is read.
    package var isAtEnd: Bool { remaining == 0 }

    /// The next byte.
    package mutating func byte() throws(Failure) -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }

    /// The next number of two bytes.
    package mutating func uint16() throws(Failure) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }

    /// The next number of four bytes.
    package mutating func uint32() throws(Failure) -> UInt32 { UInt32(truncatingIfNeeded: try number(4)) }

    /// The next number of eight bytes.
    package mutating func uint64() throws(Failure) -> UInt64 { try number(8) }

    /// The next `count` bytes, which are public.
    package mutating func take(_ count: Int) throws(Failure) -> [UInt8] {
        let range = try skip(count)
        return withBytes(of: range) { $0.copied() }
    }

    /// The next `count` bytes, in locked memory of their own.
    package mutating func secret(count: Int) throws(Failure) -> SecretBytes { try slice(try skip(count)) }

    /// The next field, of public bytes.
    package mutating func string(limit: Int) throws(Failure) -> [UInt8] {
        let range = try field(limit: limit)
        return withBytes(of: range) { $0.copied() }
    }

    /// The next field, in locked memory of its own.
    package mutating func secret(limit: Int) throws(Failure) -> SecretBytes {
        try slice(try field(limit: limit))
    }

    /// The next field, in the memory of the content, which it keeps alive.
    package mutating func part(limit: Int) throws(Failure) -> Secret {
        let range = try field(limit: limit)
        do throws(CryptoError) { return try content.part(range) } catch { throw Failure(error) }
    }

    /// Where the next field lies.
    package mutating func field(limit: Int) throws(Failure) -> Range<Int> {
        let count = try uint32()
        guard count <= UInt32(clamping: limit) else { throw .fieldTooLong(limit: limit) }
        return try skip(Int(count))
    }

    /// What lies between two places that were read, in locked memory of its own.
    package func slice(_ range: Range<Int>) throws(Failure) -> SecretBytes {
        do throws(CryptoError) { return try content.slice(range) } catch { throw Failure(error) }
    }

    /// Passes what lies between two places that were read to `body`.
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
