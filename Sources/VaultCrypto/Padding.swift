/// The padding pack(c) = u32 length ‖ c ‖ zeros up to a size class (Schemas/vault-file.md section 3).
///
/// It lets a ciphertext reveal little about the length of its content.
package enum Padding {
    /// The size class of `count` bytes: 128, then powers of two to 4,096, then steps of at most 12.5 %.
    package static func paddedCount(_ count: Int) -> Int {
        guard count > 128 else { return 128 }
        let log = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
        guard count > 4_096 else { return 2 << log }
        let step = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount - 3)
        return (count + step - 1) / step * step
    }

    /// The packed size of `count` bytes of content.
    package static func packedCount(_ count: Int) -> Int { paddedCount(4 + count) }

    /// The packed form of content that is not secret.
    package static func pack(_ content: [UInt8]) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: packedCount(content.count))
        var bytes = packed.mutableSpan
        var span = unsafe bytes.mutableBytes
        pack(secret: content, into: &span)
        return packed
    }

    /// Writes the packed form of a secret into memory of exactly its packed size.
    package static func pack(
        secret content: borrowing some ByteSource & ~Copyable,
        into packed: inout MutableRawSpan
    ) {
        let count = content.count
        precondition(packed.byteCount == packedCount(count), "memory of the packed size")
        content.withBytes { source in
            unsafe packed.withUnsafeMutableBytes { target in
                unsafe target.storeBytes(of: UInt32(count).bigEndian, as: UInt32.self)
                unsafe source.withUnsafeBytes { source in
                    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: target[4...])
                    unsafe part.copyMemory(from: source)
                }
                for index in (4 + count)..<target.count { unsafe target[index] = 0 }
            }
        }
    }

    /// Overwrites every byte with zero.
    package static func wipe(_ packed: inout MutableRawSpan) {
        unsafe packed.withUnsafeMutableBytes { target in
            for index in target.indices { unsafe target[index] = 0 }
        }
    }

    /// The range of the content in the first `count` bytes of `packed`.
    ///
    /// It is nil unless these bytes have exactly the length of their size class and are zero after the content.
    package static func content(of packed: RawSpan, count: Int) -> Range<Int>? {
        let count = min(count, packed.byteCount)
        guard count >= 4 else { return nil }
        let length = (0..<4).reduce(0) { $0 << 8 | Int(packed.byte(at: $1)) }
        guard length <= count - 4, count == packedCount(length) else { return nil }
        let content = 4..<4 + length
        let tail = packed.extracting(content.upperBound..<count)
        let isZero = unsafe tail.withUnsafeBytes { unsafe $0.allSatisfy { $0 == 0 } }
        return isZero ? content : nil
    }
}
