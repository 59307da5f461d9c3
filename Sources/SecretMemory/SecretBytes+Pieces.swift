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
