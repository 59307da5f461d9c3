internal import CSodium

/// The bare stream cipher of Bernstein with its 8-byte nonce (`crypto_stream_chacha20`): no authentication.
///
/// It serves only formats that build authenticated encryption from it themselves, as OpenSSH did before RFC 8439.
public enum ChaCha20 {
    /// Bytes in a key.
    public static let keySize = 32
    /// Bytes in a nonce.
    public static let nonceSize = 8

    /// XORs the text with the stream, which both encrypts and decrypts.
    ///
    /// `block` is the number of the 64-byte block with which the stream begins.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key or nonce of another size; `outOfMemory`.
    public static func xor(
        _ text: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        nonce: [UInt8],
        block: UInt64
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        try key.require(keySize)
        try nonce.require(nonceSize)
        var output = try SecretBytes(count: text.count)
        unsafe output.withMutablePointer { target, count in
            unsafe text.withPointer { text, _ in
                unsafe key.withPointer { key, _ in
                    _ = unsafe crypto_stream_chacha20_xor_ic(target, text, UInt64(count), nonce, block, key)
                }
            }
        }
        return output
    }
}

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
