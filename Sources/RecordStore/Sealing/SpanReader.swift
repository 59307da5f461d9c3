internal import VaultCrypto

/// A place in bytes that are read field by field; every read that would go beyond the end answers nil.
///
/// A span cannot be stored, so each call is given the bytes again.
package struct SpanReader {
    package private(set) var offset: Int
    package let end: Int

    /// Reads `range`, which the caller has found to lie within the bytes.
    package init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    package var isAtEnd: Bool { offset == end }

    /// The next `count` bytes as a place in the whole.
    package mutating func take(_ count: Int) -> Range<Int>? {
        guard count >= 0, count <= end - offset else { return nil }
        defer { offset += count }
        return offset..<offset + count
    }

    package mutating func number<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Number.Type,
        of bytes: RawSpan
    ) -> Number? {
        guard let range = take(Number.bitWidth / 8), range.upperBound <= bytes.byteCount else { return nil }
        return Number(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: type))
    }

    /// s16: a 16-bit length, then that many bytes, at most `limit`.
    package mutating func short(_ limit: Int, of bytes: RawSpan) -> Range<Int>? {
        guard let count = number(UInt16.self, of: bytes), Int(count) <= limit else { return nil }
        return take(Int(count))
    }

    /// s16 that is UTF-8.
    package mutating func text(_ limit: Int, of bytes: RawSpan) -> String? {
        guard let range = short(limit, of: bytes) else { return nil }
        return Self.text(range, of: bytes)
    }

    /// The text at `range`; nil when it is not UTF-8.
    private static func text(_ range: Range<Int>, of bytes: RawSpan) -> String? {
        unsafe bytes.extracting(range).withUnsafeBytes { text in
            // Most text is ASCII, and that needs no validation.
            guard unsafe text.allSatisfy({ $0 < 0x80 }) else {
                return unsafe String(validating: text, as: UTF8.self)
            }
            return unsafe String(decoding: text, as: UTF8.self)
        }
    }

    /// Whether the bytes at `range` are UTF-8.
    package static func isText(_ range: Range<Int>, of bytes: RawSpan) -> Bool {
        unsafe bytes.extracting(range).withUnsafeBytes { text in
            unsafe text.allSatisfy { $0 < 0x80 } || String(validating: text, as: UTF8.self) != nil
        }
    }

    /// Whether the bytes at `range` come strictly before those at `other`.
    package static func precedes(_ range: Range<Int>, _ other: Range<Int>, of bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { all in
            unsafe all[range].lexicographicallyPrecedes(all[other])
        }
    }

    /// A copy of `range`.
    package static func copy(_ range: Range<Int>, of bytes: RawSpan) -> [UInt8] {
        bytes.extracting(range).copied()
    }
}
