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

/// One byte that is never read nor written: what C is given when there are no bytes, instead of NULL.
@safe private enum NoBytes {
    nonisolated(unsafe) static let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}

extension ByteSource where Self: ~Copyable {
    /// Passes the bytes to `body` as C wants them, for the time of the call.
    @inline(__always)
    package borrowing func withPointer<R: ~Copyable, E: Error>(
        _ body: (UnsafePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        try withBytes { span throws(E) in
            try unsafe span.withUnsafeBytes { raw throws(E) in
                let bytes = unsafe raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return try unsafe body(bytes ?? UnsafePointer(NoBytes.byte), raw.count)
            }
        }
    }
}

extension MutableRawSpan {
    /// Passes the bytes to `body` as C wants them for writing, for the time of the call.
    @inline(__always)
    package mutating func withPointer<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutablePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        try unsafe withUnsafeMutableBytes { raw throws(E) in
            let bytes = unsafe raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return try unsafe body(bytes ?? NoBytes.byte, raw.count)
        }
    }
}

extension SecretBytes {
    /// Passes the bytes to `body` as C wants them for writing, for the time of the call.
    @inline(__always)
    package mutating func withMutablePointer<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutablePointer<UInt8>, Int) throws(E) -> R
    ) throws(E) -> R {
        try withMutableBytes { span throws(E) in try unsafe span.withPointer(body) }
    }
}

extension Array where Element == UInt8 {
    /// Makes an array of `count` bytes, all of which `body` writes.
    @inline(__always)
    package init(count: Int, writing body: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe self.init(unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe body(buffer.baseAddress ?? NoBytes.byte)
            filled = count
        }
    }
}
