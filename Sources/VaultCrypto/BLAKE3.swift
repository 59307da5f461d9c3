internal import CBLAKE3

/// BLAKE3 without a key, 32 bytes of output (the BLAKE3 paper, section 2).
///
/// A tree hash: three times as fast as BLAKE2b for long inputs, where the processor has AVX2.
public enum BLAKE3 {
    /// Bytes of a hash.
    public static let size = 32

    /// The hash of an input of any length.
    public static func hash(_ input: borrowing some ByteSource & ~Copyable) -> [UInt8] {
        unsafe input.withPointer { bytes, count in
            unsafe Array(count: size) { output in unsafe hsip_blake3(bytes, count, output) }
        }
    }

    /// The same, into 32 bytes of the caller's memory from `place` on; nothing is allocated.
    ///
    /// - Throws: `CryptoError.wrongSize` for too little room.
    public static func hash(
        _ input: RawSpan,
        into output: inout MutableRawSpan,
        at place: Int = 0
    ) throws(CryptoError) {
        guard place >= 0, size <= output.byteCount - place else {
            throw .wrongSize(expected: size, found: output.byteCount - place)
        }
        unsafe input.withUnsafeBytes { input in
            let bytes = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe output.withPointer { target, _ in
                unsafe hsip_blake3(bytes, input.count, target + place)
            }
        }
    }
}
