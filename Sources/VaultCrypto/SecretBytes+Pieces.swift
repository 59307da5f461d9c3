extension SecretBytes {
    /// The bytes of `first` followed by those of `second`, in locked memory of their own.
    ///
    /// - Throws: `CryptoError.outOfMemory` when the system has no memory to lend.
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
