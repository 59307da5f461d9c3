internal import CBLAKE3
internal import CSodium

/// SHA-2 of bytes that are not secret (FIPS 180-4).
public enum Hash {
    /// SHA-256: 32 bytes.
    public static func sha256(_ message: borrowing some ByteSource & ~Copyable) -> [UInt8] {
        Sodium.mustBeReady()
        return unsafe message.withPointer { bytes, count in
            unsafe Array(count: 32) { digest in
                _ = unsafe crypto_hash_sha256(digest, bytes, UInt64(count))
            }
        }
    }

    /// SHA-512: 64 bytes.
    public static func sha512(_ message: borrowing some ByteSource & ~Copyable) -> [UInt8] {
        Sodium.mustBeReady()
        return unsafe message.withPointer { bytes, count in
            unsafe Array(count: 64) { digest in
                _ = unsafe crypto_hash_sha512(digest, bytes, UInt64(count))
            }
        }
    }
}

/// BLAKE3 without a key, 32 bytes of output (the BLAKE3 paper, section 2).
///
/// The hash is a tree: for long inputs it is three times as fast as BLAKE2b on a processor with AVX2.
public enum BLAKE3 {
    /// Bytes of a hash.
    public static let size = 32

    /// The hash of an input of any length.
    public static func hash(_ input: borrowing some ByteSource & ~Copyable) -> [UInt8] {
        unsafe input.withPointer { bytes, count in
            unsafe Array(count: size) { output in unsafe hsip_blake3(bytes, count, output) }
        }
    }

    /// Writes the hash, 32 bytes, into memory of the caller from `place` on, without allocating.
    ///
    /// - Throws: `CryptoError.wrongSize` if the output is too small.
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

/// BLAKE2b with a key and a variable output size (RFC 7693; `crypto_generichash`).
public enum KeyedHash {
    /// Output sizes in bytes.
    public static let outputSizes = 16...64
    /// Key sizes in bytes; an empty key is allowed too.
    public static let keySizes = 16...64

    /// The hash of a message under a key, `count` bytes; an empty key means the unkeyed hash.
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

    /// Writes the BLAKE2b hash into memory of the caller, as many bytes as `output` has, without allocating.
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

    /// The BLAKE2b hash in locked memory, for a result that is itself a secret.
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
