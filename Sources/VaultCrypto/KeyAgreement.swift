internal import CSodium

/// Diffie-Hellman on Curve25519: X25519 (RFC 7748; `crypto_scalarmult`).
public enum KeyAgreement {
    /// Bytes in a secret key, a public key and a shared secret.
    public static let keySize = 32

    /// Computes the public key of a 32-byte secret key.
    ///
    /// - Throws: `CryptoError.wrongSize`.
    public static func publicKey(
        of secret: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> [UInt8] {
        try Sodium.ready()
        try secret.require(keySize)
        return unsafe secret.withPointer { secret, _ in
            unsafe Array(count: keySize) { output in
                _ = unsafe crypto_scalarmult_base(output, secret)
            }
        }
    }

    /// Computes a public key in locked memory, for a public key that must stay secret.
    ///
    /// - Throws: `CryptoError.wrongSize`, `outOfMemory`.
    public static func hiddenPublicKey(
        of secret: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        try secret.require(keySize)
        var output = try SecretBytes(count: keySize)
        unsafe output.withMutablePointer { target, _ in
            unsafe secret.withPointer { secret, _ in
                _ = unsafe crypto_scalarmult_base(target, secret)
            }
        }
        return output
    }

    /// Computes the raw shared secret, 32 bytes, which is key material for `HKDF` and never a key itself.
    ///
    /// - Throws: `CryptoError.badPublicKey` if the public key is of low order, so that the result would be zero for any
    ///   secret; `wrongSize`; `outOfMemory`.
    public static func sharedSecret(
        _ secret: borrowing some ByteSource & ~Copyable,
        with publicKey: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        try secret.require(keySize)
        try publicKey.require(keySize)
        var shared = try SecretBytes(count: keySize)
        let isGood = unsafe shared.withMutablePointer { target, count in
            unsafe secret.withPointer { secret, _ in
                unsafe publicKey.withPointer { publicKey, _ in
                    unsafe crypto_scalarmult(target, secret, publicKey) == 0
                        && sodium_is_zero(target, count) == 0
                }
            }
        }
        guard isGood else { throw .badPublicKey }
        return shared
    }

    /// True if a public key is in the small subgroup, so that the shared secret would be zero, or has the wrong size.
    public static func isLowOrder(_ publicKey: [UInt8]) -> Bool {
        guard Sodium.isReady, publicKey.count == keySize else { return true }
        // Any scalar works, because clamping makes it a multiple of the cofactor.
        let scalar = [UInt8](repeating: 1, count: keySize)
        var output = [UInt8](repeating: 0, count: keySize)
        let result = unsafe crypto_scalarmult(&output, scalar, publicKey)
        return unsafe result != 0 || sodium_is_zero(output, output.count) == 1
    }
}
