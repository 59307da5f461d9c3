internal import CSodium

/// Secret bytes in locked and guarded memory, which is wiped at the end and never copied by accident.
///
/// The memory comes from `sodium_malloc`; small secrets share a block of it (`LockedPool`). It has guard pages, and is
/// excluded from core dumps and, if the limit allows, from swap. The type cannot be copied, printed or encoded; it passes
/// its bytes to a closure.
@safe public struct SecretBytes: ByteSource, ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer

    /// The number of bytes.
    public var count: Int { unsafe memory.count }

    /// Makes `count` zero bytes.
    ///
    /// - Throws: `CryptoError.outOfMemory` if the system has no locked memory left.
    public init(count: Int) throws(CryptoError) {
        unsafe memory = try Self.allocate(count)
    }

    /// Makes `count` zero bytes, and lets `body` write them.
    public init(
        count: Int,
        writing body: (inout MutableRawSpan) throws(CryptoError) -> Void
    ) throws(CryptoError) {
        let fresh = unsafe try Self.allocate(count)
        do throws(CryptoError) {
            var span = unsafe fresh.mutableBytes
            try body(&span)
        } catch {
            unsafe Self.release(fresh)
            throw error
        }
        unsafe memory = fresh
    }

    /// Copies bytes into locked memory; the caller wipes the source.
    public init(copying source: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        let fresh = unsafe try Self.allocate(source.count)
        source.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe fresh.copyMemory(from: $0) }
        }
        unsafe memory = fresh
    }

    private static func allocate(_ count: Int) throws(CryptoError) -> UnsafeMutableRawBufferPointer {
        guard Sodium.isReady, count >= 0 else { throw .outOfMemory }
        if count <= LockedPool.largest {
            guard let base = unsafe LockedPool.shared.take(count) else { throw .outOfMemory }
            return unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
        }
        guard let base = unsafe sodium_malloc(count) else { throw .outOfMemory }
        unsafe sodium_memzero(base, count)
        return unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    /// Wipes the memory and frees it.
    private static func release(_ memory: UnsafeMutableRawBufferPointer) {
        guard let base = memory.baseAddress else { return }
        if memory.count <= LockedPool.largest {
            unsafe LockedPool.shared.give(back: base, memory.count)
        } else {
            unsafe sodium_free(base)
        }
    }

    /// Passes the bytes to `body`; they are valid during the call.
    public borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe memory.bytes)
    }

    /// Passes the bytes to `body` for writing; they are valid during the call.
    public mutating func withMutableBytes<R: ~Copyable, E: Error>(
        _ body: (inout MutableRawSpan) throws(E) -> R
    ) throws(E) -> R {
        var span = unsafe memory.mutableBytes
        return try body(&span)
    }

    deinit {
        unsafe Self.release(memory)
    }
}

extension SecretBytes {
    /// Copies the bytes of `first`, then the bytes of `second`, into new locked memory.
    ///
    /// - Throws: `CryptoError.outOfMemory` if the system has no locked memory left.
    public static func joined(
        _ first: borrowing some ByteSource & ~Copyable,
        _ second: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        let (head, tail) = (first.count, second.count)
        var both = try SecretBytes(count: head + tail)
        both.withMutableBytes { target in
            unsafe target.withUnsafeMutableBytes { target in
                first.withBytes { source in
                    unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
                }
                second.withBytes { source in
                    unsafe source.withUnsafeBytes {
                        unsafe UnsafeMutableRawBufferPointer(rebasing: target[head...]).copyMemory(from: $0)
                    }
                }
            }
        }
        return both
    }

    /// Copies all pieces, one after the other, into new locked memory.
    ///
    /// - Throws: `CryptoError.outOfMemory` if the system has no locked memory left.
    public static func joined(_ pieces: [any ByteSource]) throws(CryptoError) -> SecretBytes {
        var whole = try SecretBytes(count: pieces.reduce(0) { $0 + $1.count })
        whole.withMutableBytes { target in
            unsafe target.withUnsafeMutableBytes { target in
                var offset = 0
                for piece in pieces {
                    piece.withBytes { source in
                        unsafe source.withUnsafeBytes { source in
                            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...])
                            unsafe room.copyMemory(from: source)
                        }
                    }
                    offset += piece.count
                }
            }
        }
        return whole
    }
}

extension SecretBytes {
    /// Copies bytes into locked memory.
    ///
    /// - Throws: `CryptoError.outOfMemory` if the system has no locked memory left.
    public init(copying source: RawSpan) throws(CryptoError) {
        try self.init(count: source.byteCount) { target in
            unsafe target.withUnsafeMutableBytes { target in
                unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            }
        }
    }
}

extension ByteSource where Self: ~Copyable {
    /// Copies the bytes in `range` into new locked memory.
    ///
    /// - Throws: `CryptoError.wrongSize` if the range exceeds the bytes; `outOfMemory`.
    public borrowing func slice(_ range: Range<Int>) throws(CryptoError) -> SecretBytes {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw .wrongSize(expected: range.upperBound, found: count)
        }
        var part = try SecretBytes(count: range.count)
        part.withMutableBytes { target in
            unsafe target.withUnsafeMutableBytes { target in
                withBytes { source in
                    unsafe source.withUnsafeBytes {
                        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
                    }
                }
            }
        }
        return part
    }
}
