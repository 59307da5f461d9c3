internal import Glibc

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

    /// Overwrites eight bytes from `offset` on with a number, most significant byte first; they must be there.
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

    /// Whether these are the same bytes, for public bytes only: faster than `==`, which goes byte by byte.
    func isSame(as other: [UInt8]) -> Bool {
        unsafe count == other.count && memcmp(self, other, count) == 0
    }
}
