internal import VaultCrypto

/// A place in bytes that are read field by field; every read that would go beyond the end answers nil.
///
/// A span cannot be stored, so each call is given the bytes again.
struct SpanReader {
    private(set) var offset: Int
    let end: Int

    /// Reads `range`, which the caller has found to lie within the bytes.
    init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }

    /// The next `count` bytes as a place in the whole.
    mutating func take(_ count: Int) -> Range<Int>? {
        guard count >= 0, count <= end - offset else { return nil }
        defer { offset += count }
        return offset..<offset + count
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Number.Type,
        of bytes: RawSpan
    ) -> Number? {
        guard let range = take(Number.bitWidth / 8), range.upperBound <= bytes.byteCount else { return nil }
        return Number(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: type))
    }

    /// s16: a 16-bit length, then that many bytes, at most `limit`.
    mutating func short(_ limit: Int, of bytes: RawSpan) -> Range<Int>? {
        guard let count = number(UInt16.self, of: bytes), Int(count) <= limit else { return nil }
        return take(Int(count))
    }

    /// s16 that is UTF-8.
    mutating func text(_ limit: Int, of bytes: RawSpan) -> String? {
        guard let range = short(limit, of: bytes), range.upperBound <= bytes.byteCount else { return nil }
        return unsafe bytes.withUnsafeBytes { raw in
            let text = unsafe UnsafeRawBufferPointer(rebasing: raw[range])
            // Most text is ASCII, and that needs no validation.
            guard unsafe text.allSatisfy({ $0 < 0x80 }) else {
                return unsafe String(validating: text, as: UTF8.self)
            }
            return unsafe String(decoding: text, as: UTF8.self)
        }
    }

    /// A copy of `range`.
    static func copy(_ range: Range<Int>, of bytes: RawSpan) -> [UInt8] {
        bytes.extracting(range).copied()
    }
}
