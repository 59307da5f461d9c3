/// A value that gives access to its bytes: an array of bytes that are not secret, or secret memory.
///
/// Every primitive accepts its inputs as this type, so a key in locked memory is never copied to an array first.
public protocol ByteSource: ~Copyable {
    /// The number of bytes.
    var count: Int { get }

    /// Passes the bytes to `body`; they are valid during the call.
    borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}

extension Array: ByteSource where Element == UInt8 {
    /// Passes the bytes to `body`; they are valid during the call.
    public borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe span.bytes)
    }
}

extension ArraySlice: ByteSource where Element == UInt8 {
    /// Passes the bytes to `body`; they are valid during the call.
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

    /// A copy of the bytes in an ordinary array, for bytes that are not secret.
    public func copied() -> [UInt8] {
        unsafe withUnsafeBytes { unsafe Array($0) }
    }
}

extension ByteSource where Self: ~Copyable {
    /// Throws `wrongSize` unless the count is `expected`, so that C functions never see another size.
    @inline(__always)
    package borrowing func require(_ expected: Int) throws(CryptoError) {
        guard count == expected else { throw .wrongSize(expected: expected, found: count) }
    }
}

extension ClosedRange<Int> {
    /// Throws `wrongSize` with the nearer bound if a size is outside the range.
    @inline(__always)
    package func require(_ count: Int) throws(CryptoError) {
        guard !contains(count) else { return }
        throw .wrongSize(expected: count < lowerBound ? lowerBound : upperBound, found: count)
    }
}

/// One byte that is never read or written; C functions get its address instead of NULL if there are no bytes.
@safe private enum NoBytes {
    nonisolated(unsafe) static let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}

extension ByteSource where Self: ~Copyable {
    /// Passes the bytes to `body` as a C pointer, which is valid during the call.
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
    /// Passes the bytes to `body` as a C pointer for writing, which is valid during the call.
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
    /// Passes the bytes to `body` as a C pointer for writing, which is valid during the call.
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
