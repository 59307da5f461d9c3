internal import CSodium

/// Authenticated encryption with a 12-byte nonce: ChaCha20-Poly1305, detached (RFC 8439).
///
/// A pair of key and nonce must never seal two messages. The ciphertext does not commit to its key: two keys that open it
/// can be found. If that matters, the protocol adds a commitment.
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
    /// `output` must have exactly the size of the ciphertext. After a failure its bytes are zero.
    ///
    /// - Throws: `CryptoError.authenticationFailed` if key, nonce, data, tag and ciphertext do not belong together;
    ///   `wrongSize` for a key, nonce, tag or output of another size.
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
    /// - Throws: `CryptoError.authenticationFailed`, `wrongSize` as for `open(…, into:)`; `outOfMemory`.
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

/// Sealing and opening in memory of the caller, without allocating, for the pieces of a long stream.
///
/// The tag follows the ciphertext, as in RFC 8439.
extension ChaCha20Poly1305 {
    /// Encrypts and authenticates; writes 16 bytes more than the plaintext, from `place` on.
    ///
    /// - Throws: `CryptoError.wrongSize` for a key or nonce of another size, or if the output is too small.
    public static func seal(
        _ plaintext: RawSpan,
        key: borrowing some ByteSource & ~Copyable,
        nonce: [UInt8],
        into output: inout MutableRawSpan,
        at place: Int
    ) throws(CryptoError) {
        try check(key, nonce, room: output.byteCount, place, plaintext.byteCount + tagSize)
        unsafe output.withPointer { target, _ in
            unsafe plaintext.withUnsafeBytes { message in
                unsafe key.withPointer { key, _ in
                    _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                        target + place,
                        nil,
                        message.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        UInt64(message.count),
                        nil,
                        0,
                        nil,
                        nonce,
                        key
                    )
                }
            }
        }
    }

    /// Verifies and decrypts; writes 16 bytes fewer than were sealed, from `place` on.
    ///
    /// After failed authentication these bytes are zero.
    ///
    /// - Throws: `CryptoError.authenticationFailed` if key, nonce and sealed bytes do not belong together; `wrongSize` for a
    ///   key or nonce of another size, fewer than 16 sealed bytes, or if the output is too small.
    public static func open(
        _ sealed: RawSpan,
        key: borrowing some ByteSource & ~Copyable,
        nonce: [UInt8],
        into output: inout MutableRawSpan,
        at place: Int
    ) throws(CryptoError) {
        let count = sealed.byteCount - tagSize
        try check(key, nonce, room: output.byteCount, place, count)
        let isGood = unsafe output.withPointer { target, _ in
            unsafe sealed.withUnsafeBytes { sealed in
                // The sizes were compared, so there are at least the 16 bytes of a tag.
                guard let bytes = unsafe sealed.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                    return false
                }
                return unsafe key.withPointer { key, _ in
                    unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
                        target + place,
                        nil,
                        nil,
                        bytes,
                        UInt64(sealed.count),
                        nil,
                        0,
                        nonce,
                        key
                    ) == 0
                }
            }
        }
        guard isGood else {
            unsafe output.withPointer { target, _ in unsafe sodium_memzero(target + place, count) }
            throw .authenticationFailed
        }
    }

    private static func check(
        _ key: borrowing some ByteSource & ~Copyable,
        _ nonce: [UInt8],
        room: Int,
        _ place: Int,
        _ count: Int
    ) throws(CryptoError) {
        try Sodium.ready()
        try key.require(keySize)
        try nonce.require(nonceSize)
        guard count >= 0, place >= 0, place <= room, count <= room - place else {
            throw .wrongSize(expected: count, found: room - place)
        }
    }
}
