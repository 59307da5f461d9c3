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
