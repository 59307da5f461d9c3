/// Authenticated encryption with a 24-byte nonce, detached (draft-irtf-cfrg-xchacha-03).
///
/// A pair of key and nonce must never seal two messages. The ciphertext does not commit to its key: two keys that open it
/// can be found. If that matters, the protocol adds a commitment.
public enum XChaCha20Poly1305 {
    /// Bytes in a key.
    public static let keySize = 32
    /// Bytes in a nonce.
    public static let nonceSize = 24
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
        try AEADConstruction.extended.seal(plaintext, key: key, nonce: nonce, authenticating: data)
    }

    /// Makes a nonce for one message that stays unique even if the random source repeats itself.
    ///
    /// It depends on randomness, on the message and on the authenticated data, under the key. So two different messages get
    /// two different nonces even after a broken generator, or on two copies of one machine. Opening the message does not
    /// need this.
    ///
    ///     H(key, "HSIP hedged nonce" ‖ 00 ‖ random 24 ‖ u64 |data| ‖ data ‖ H(key, plaintext, 48), 24)
    ///
    /// - Throws: `CryptoError.wrongSize` for a key of another size.
    public static func hedgedNonce(
        for plaintext: borrowing some ByteSource & ~Copyable,
        key: borrowing some ByteSource & ~Copyable,
        authenticating data: [UInt8],
        entropy: Entropy
    ) throws(CryptoError) -> [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(hedge.count + nonceSize + 8 + data.count + 48)
        input += hedge
        input += entropy.bytes(nonceSize)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            input.append(UInt8(truncatingIfNeeded: UInt64(data.count) >> shift))
        }
        input += data
        // Different output sizes make different functions: one digest is never confused with the other.
        input += try KeyedHash.blake2b(plaintext, key: key, count: 48)
        return try KeyedHash.blake2b(input, key: key, count: nonceSize)
    }

    private static let hedge = Array("HSIP hedged nonce".utf8) + [0]

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
        try AEADConstruction.extended.open(
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
