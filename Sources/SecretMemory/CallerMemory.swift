internal import CSodium

/// Locked memory for a caller that cannot hold a `SecretBytes`: a program in C.
///
/// The memory is guarded and kept off the swap like every secret. Its owner returns it exactly once.
public enum CallerMemory {
    /// Copies bytes into new locked memory, and appends a zero byte.
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

    /// Wipes the memory and returns it to the system (`sodium_free`).
    ///
    /// If the caller wrote beyond its end, the canary is damaged and the process ends here.
    public static func take(back memory: UnsafeMutablePointer<UInt8>) {
        unsafe sodium_free(memory)
    }
}
