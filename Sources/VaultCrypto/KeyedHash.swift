internal import CSodium

/// BLAKE2b with a key and an output size of choice (RFC 7693; `crypto_generichash`).
public enum KeyedHash {
    /// Output sizes in bytes.
    public static let outputSizes = 16...64
    /// Key sizes in bytes; no key at all is allowed too.
    public static let keySizes = 16...64

    /// The hash of a message under a key, `count` bytes; an empty key is the unkeyed hash.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key or count outside 16...64.
    public static func blake2b(
        _ message: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        count: Int
    ) throws(CryptoError) -> [UInt8] {
        try check(keyCount: key.count, count: count)
        return unsafe message.withPointer { message, messageCount in
            unsafe key.withPointer { key, keyCount in
                unsafe Array(count: count) { output in
                    _ = unsafe crypto_generichash(
                        output,
                        count,
                        message,
                        UInt64(messageCount),
                        key,
                        keyCount
                    )
                }
            }
        }
    }

    /// As `blake2b`, into memory of the caller: as many bytes as `output` has, nothing is allocated.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key or output outside 16...64 bytes.
    public static func blake2b(
        _ message: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        into output: inout MutableRawSpan
    ) throws(CryptoError) {
        try check(keyCount: key.count, count: output.byteCount)
        unsafe output.withPointer { target, count in
            unsafe message.withPointer { message, messageCount in
                unsafe key.withPointer { key, keyCount in
                    _ = unsafe crypto_generichash(
                        target,
                        count,
                        message,
                        UInt64(messageCount),
                        key,
                        keyCount
                    )
                }
            }
        }
    }

    /// The unkeyed hash of a message, `count` bytes.
    ///
    /// - Throws: `CryptoError.wrongSize` for a count outside 16...64.
    public static func blake2b(
        _ message: borrowing some ByteSource & ~Copyable,
        count: Int
    ) throws(CryptoError) -> [UInt8] {
        try blake2b(message, key: [UInt8](), count: count)
    }

    /// As `blake2b`, for a result that is itself a secret.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key or count outside 16...64; `outOfMemory`.
    public static func secretBlake2b(
        _ message: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        count: Int
    ) throws(CryptoError) -> SecretBytes {
        try check(keyCount: key.count, count: count)
        return try SecretBytes(count: count) { output throws(CryptoError) in
            try blake2b(message, key: key, into: &output)
        }
    }

    private static func check(keyCount: Int, count: Int) throws(CryptoError) {
        try Sodium.ready()
        if keyCount > 0 { try keySizes.require(keyCount) }
        try outputSizes.require(count)
    }
}
