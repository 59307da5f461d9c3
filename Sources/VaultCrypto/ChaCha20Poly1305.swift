/// Authenticated encryption with a 12-byte nonce: ChaCha20-Poly1305, detached (RFC 8439).
///
/// A pair of key and nonce must never seal two messages. Anyone who holds a ciphertext can find two keys that
/// open it (it does not commit to its key), so where that matters the protocol adds its own commitment.
public enum ChaCha20Poly1305 {
    /// Bytes in a key.
    public static let keySize = 32
    /// Bytes in a nonce.
    public static let nonceSize = 12
    /// Bytes in a tag.
    public static let tagSize = 16

    /// Encrypts and authenticates; the ciphertext is as long as the plaintext, the tag 16 bytes.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key or nonce of another size.
    public static func seal(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        nonce: borrowing some ByteSource & ~Copyable,
        authenticating data: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try AEADConstruction.ietf.seal(plaintext, key: key, nonce: nonce, authenticating: data)
    }

    /// Verifies and decrypts into memory of the caller, without allocating.
    ///
    /// `output` must have exactly the size of the ciphertext. On every failure it is left zero.
    ///
    /// - Throws: `CryptoError.authenticationFailed` when key, nonce, data, tag and ciphertext do not belong
    ///   together; `wrongSize` for a key, nonce, tag or output of another size.
    public static func open(
        _ ciphertext: borrowing some ByteSource & ~Copyable,
        tag: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        nonce: borrowing some ByteSource & ~Copyable,
        authenticating data: borrowing some ByteSource & ~Copyable,
        into output: inout MutableRawSpan
    ) throws(CryptoError) {
        try AEADConstruction.ietf.open(
            ciphertext,
            tag: tag,
            key: key,
            nonce: nonce,
            authenticating: data,
            into: &output
        )
    }

    /// Verifies and decrypts into locked memory.
    ///
    /// - Throws: `CryptoError.authenticationFailed`, `wrongSize` as above; `outOfMemory`.
    public static func open(
        _ ciphertext: borrowing some ByteSource & ~Copyable,
        tag: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        nonce: borrowing some ByteSource & ~Copyable,
        authenticating data: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        var plaintext = try SecretBytes(count: ciphertext.count)
        try plaintext.withMutableBytes { output throws(CryptoError) in
            try open(ciphertext, tag: tag, key: key, nonce: nonce, authenticating: data, into: &output)
        }
        return plaintext
    }
}
