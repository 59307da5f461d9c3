internal import Glibc
internal import VaultCrypto

/// A position in bytes that are read field by field; a read beyond the end returns nil.
///
/// A span cannot be stored, so each call gets the bytes again.
package struct SpanReader {
    package private(set) var offset: Int
    package let end: Int

    /// Reads `range`, which the caller has checked to be within the bytes.
    package init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    package var isAtEnd: Bool { offset == end }

    /// The range of the next `count` bytes.
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

    /// The text at `range`; nil if it is not UTF-8.
    private static func text(_ range: Range<Int>, of bytes: RawSpan) -> String? {
        unsafe bytes.extracting(range).withUnsafeBytes { text in
            // Most text is ASCII, which needs no validation.
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

    /// Whether the bytes at `range` come strictly before the bytes at `other`.
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

extension Array where Element == UInt8 {
    /// Appends a number, most significant byte first.
    package mutating func append(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }

    /// Appends s16(bytes): a 16-bit length and the bytes.
    ///
    /// The caller has checked the length.
    package mutating func append(short bytes: some Collection<UInt8>) {
        append(bigEndian: UInt16(truncatingIfNeeded: bytes.count))
        append(contentsOf: bytes)
    }

    /// Appends a 32-bit length and the bytes.
    ///
    /// The caller has checked the length.
    package mutating func append(long bytes: some Collection<UInt8>) {
        append(bigEndian: UInt32(truncatingIfNeeded: bytes.count))
        append(contentsOf: bytes)
    }

    /// Overwrites eight bytes from `offset` on, which must exist, with a number, most significant byte first.
    mutating func store(bigEndian number: UInt64, at offset: Int) {
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt64.self)
        }
    }

    /// Overwrites the bytes from `offset` on, without allocating; they must fit.
    mutating func overwrite(at offset: Int, with bytes: RawSpan) {
        precondition(offset >= 0 && bytes.byteCount <= count - offset, "room for the bytes")
        unsafe withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { source in
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...])
                unsafe part.copyMemory(from: source)
            }
        }
    }

    /// Whether the bytes are equal, for public bytes only: faster than `==`, which compares byte by byte.
    func isSame(as other: [UInt8]) -> Bool {
        unsafe count == other.count && memcmp(self, other, count) == 0
    }
}
