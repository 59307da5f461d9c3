internal import CSodium

/// Secret bytes in memory of their own: locked, guarded, wiped at the end, never copied by accident.
///
/// The memory comes from `sodium_malloc`, small secrets share a block of it (`LockedPool`): guard pages around it,
/// excluded from core dumps and, where the limit allows, from swap. The type cannot be copied, printed or encoded; it
/// passes its bytes to a closure.
@safe public struct SecretBytes: ByteSource, ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer

    /// How many bytes there are.
    public var count: Int { unsafe memory.count }

    /// Makes `count` zero bytes.
    ///
    /// - Throws: `CryptoError.outOfMemory` when the system has no locked memory left.
    public init(count: Int) throws(CryptoError) {
        unsafe memory = try Self.allocate(count)
    }

    /// Makes `count` bytes and lets `body` write them; what it leaves untouched is zero.
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

    /// Copies bytes into locked memory; wiping the source is the caller's part.
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

    /// Wipes the memory and gives it back.
    private static func release(_ memory: UnsafeMutableRawBufferPointer) {
        guard let base = memory.baseAddress else { return }
        if memory.count <= LockedPool.largest {
            unsafe LockedPool.shared.give(back: base, memory.count)
        } else {
            unsafe sodium_free(base)
        }
    }

    /// Passes the bytes to `body`, for the time of the call.
    public borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe memory.bytes)
    }

    /// Passes the bytes to `body` for writing, for the time of the call.
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
    /// The bytes of `first` followed by those of `second`, in locked memory of their own.
    ///
    /// - Throws: `CryptoError.outOfMemory` when the system has no locked memory left.
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

    /// All pieces, one after the other, in locked memory.
    ///
    /// - Throws: `CryptoError.outOfMemory` when the system has no locked memory left.
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
    /// - Throws: `CryptoError.outOfMemory` when the system has no locked memory left.
    public init(copying source: RawSpan) throws(CryptoError) {
        try self.init(count: source.byteCount) { target in
            unsafe target.withUnsafeMutableBytes { target in
                unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            }
        }
    }
}

extension ByteSource where Self: ~Copyable {
    /// A copy of the bytes in `range`, in locked memory of their own.
    ///
    /// - Throws: `CryptoError.wrongSize` when the range reaches beyond the bytes; `outOfMemory`.
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
