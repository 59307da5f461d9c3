internal import CSodium

/// HMAC with SHA-256 (RFC 2104, RFC 4231).
public enum HMACSHA256 {
    /// Bytes in a tag.
    public static let tagSize = 32

    /// The tag of a message, 32 bytes; the key may have any length.
    ///
    /// Compare tags with `ConstantTime.equal`.
    public static func tag(
        _ message: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable
    ) -> [UInt8] {
        Sodium.mustBeReady()
        return unsafe key.withPointer { key, keyCount in
            unsafe message.withPointer { bytes, count in
                unsafe Array(count: tagSize) { tag in
                    var state = crypto_auth_hmacsha256_state()
                    unsafe crypto_auth_hmacsha256_init(&state, key, keyCount)
                    unsafe crypto_auth_hmacsha256_update(&state, bytes, UInt64(count))
                    unsafe crypto_auth_hmacsha256_final(&state, tag)
                    unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
                }
            }
        }
    }
}
