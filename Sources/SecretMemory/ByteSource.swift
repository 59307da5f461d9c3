/// Something that gives access to its bytes: an array of public bytes, or secret memory.
///
/// Every primitive takes its inputs this way, so a key in locked memory is never copied to an array first.
public protocol ByteSource: ~Copyable {
    /// How many bytes there are.
    var count: Int { get }

    /// Passes the bytes to `body`, for the time of the call.
    borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}

extension Array: ByteSource where Element == UInt8 {
    /// Passes the bytes to `body`, for the time of the call.
    public borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe span.bytes)
    }
}

extension ArraySlice: ByteSource where Element == UInt8 {
    /// Passes the bytes to `body`, for the time of the call.
    public borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe span.bytes)
    }
}

extension RawSpan {
    /// The byte at `offset`, bounds-checked.
    public func byte(at offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < byteCount, "offset within the span")
        return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// A copy of the bytes in an ordinary array: for public bytes only.
    public func copied() -> [UInt8] {
        unsafe withUnsafeBytes { unsafe Array($0) }
    }
}

extension ByteSource where Self: ~Copyable {
    /// Refuses every length but `expected`; C is never called with another.
    @inline(__always)
    package borrowing func require(_ expected: Int) throws(CryptoError) {
        guard count == expected else { throw .wrongSize(expected: expected, found: count) }
    }
}

extension ClosedRange<Int> {
    /// Refuses a size outside the range, and names the bound that it missed.
    @inline(__always)
    package func require(_ count: Int) throws(CryptoError) {
        guard !contains(count) else { return }
        throw .wrongSize(expected: count < lowerBound ? lowerBound : upperBound, found: count)
    }
}
