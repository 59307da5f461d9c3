internal import CSodium

/// SHA-2 of public bytes (FIPS 180-4).
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
