internal import CSodium

/// An Ed25519 key ready to sign many times: the seed and the public half, worked out once.
public struct SigningPair: ~Copyable, Sendable {
    private let pair: SecretBytes

    /// Works out the pair of a 32-byte seed.
    ///
    /// - Throws: `CryptoError.wrongSize`, `outOfMemory`.
    public init(seed: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        pair = try Signing.expand(seed)
    }

    /// The signature of a message, 64 bytes, the same every time.
    public borrowing func sign(_ message: borrowing some ByteSource & ~Copyable) -> [UInt8] {
        unsafe pair.withPointer { pair, _ in
            unsafe message.withPointer { message, count in
                unsafe Array(count: Signing.signatureSize) { signature in
                    _ = unsafe crypto_sign_detached(signature, nil, message, UInt64(count), pair)
                }
            }
        }
    }
}
