internal import CSodium

/// Locked memory that is handed to a caller who cannot hold a `SecretBytes`: a program in C.
///
/// It is guarded and kept off the swap as every secret is. Anyone who has it gives it back once.
public enum CallerMemory {
    /// A copy of some bytes, with one more byte after them that is zero.
    ///
    /// - Throws: `CryptoError.outOfMemory` when the system has no locked memory left.
    public static func copy(
        _ source: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> UnsafeMutablePointer<UInt8> {
        try Sodium.ready()
        let count = source.count
        guard let memory = unsafe sodium_malloc(count + 1) else { throw .outOfMemory }
        let bytes = unsafe memory.assumingMemoryBound(to: UInt8.self)
        unsafe source.withPointer { source, count in unsafe bytes.update(from: source, count: count) }
        unsafe bytes[count] = 0
        return unsafe bytes
    }

    /// Wipes it and gives it back to the system (`sodium_free`).
    ///
    /// A caller who wrote beyond its end ends the process here: the canary is gone.
    public static func take(back memory: UnsafeMutablePointer<UInt8>) {
        unsafe sodium_free(memory)
    }
}
