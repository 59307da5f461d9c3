internal import CSodium

/// The one-time authenticator (RFC 8439 section 2.5; `crypto_onetimeauth`): a key must serve one message only.
public enum Poly1305 {
    /// Bytes in a key.
    public static let keySize = 32
    /// Bytes in a tag.
    public static let tagSize = 16

    /// The tag of a message, 16 bytes; compare tags with `ConstantTime.equal`.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key of another size; `outOfMemory`.
    public static func tag(
        _ message: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> [UInt8] {
        try Sodium.ready()
        try key.require(keySize)
        return unsafe message.withPointer { bytes, count in
            unsafe key.withPointer { key, _ in
                unsafe Array(count: tagSize) { tag in
                    _ = unsafe crypto_onetimeauth(tag, bytes, UInt64(count), key)
                }
            }
        }
    }
}
