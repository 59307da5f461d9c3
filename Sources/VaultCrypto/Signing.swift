internal import CSodium

/// Ed25519 signatures (RFC 8032), verified strictly.
public enum Signing {
    /// Bytes in a seed, which is the whole secret key.
    public static let seedSize = 32
    /// Bytes in a public key.
    public static let publicKeySize = 32
    /// Bytes in a signature.
    public static let signatureSize = 64

    /// Computes the public key of a 32-byte seed.
    ///
    /// - Throws: `CryptoError.wrongSize`, `outOfMemory`.
    public static func publicKey(
        seed: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> [UInt8] {
        let pair = try expand(seed)
        return pair.withBytes { $0.extracting(seedSize..<seedSize + publicKeySize).copied() }
    }

    /// Signs a message: 64 bytes, equal for equal messages.
    ///
    /// - Throws: `CryptoError.wrongSize` for a seed of another size; `outOfMemory`.
    public static func sign(
        _ message: borrowing some ByteSource & ~Copyable,
        seed: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> [UInt8] {
        try SigningPair(seed: seed).sign(message)
    }

    /// True if a signature is valid; inputs of a wrong size are not.
    ///
    /// S must be below the group order, and the public key and R must be canonical and in the group of prime order. So one
    /// valid signature cannot be turned into another. `crypto_sign_verify_detached` alone checks the equation without the
    /// cofactor up to libsodium 1.0.18, and with it from 1.0.19 on; for points of that group both agree.
    public static func isValid(
        _ signature: [UInt8],
        message: borrowing some ByteSource & ~Copyable,
        publicKey: [UInt8]
    ) -> Bool {
        guard Sodium.isReady, signature.count == signatureSize, publicKey.count == publicKeySize,
            unsafe crypto_core_ed25519_is_valid_point(publicKey) == 1,
            unsafe crypto_core_ed25519_is_valid_point(Array(signature.prefix(32))) == 1
        else { return false }
        return unsafe message.withPointer { message, count in
            unsafe crypto_sign_verify_detached(signature, message, UInt64(count), publicKey) == 0
        }
    }

    /// libsodium's 64-byte form of a secret key: the seed, then the public key.
    static func expand(
        _ seed: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        try seed.require(seedSize)
        var pair = try SecretBytes(count: seedSize + publicKeySize)
        var publicKey = [UInt8](repeating: 0, count: publicKeySize)
        unsafe pair.withMutablePointer { target, _ in
            unsafe seed.withPointer { seed, _ in
                _ = unsafe crypto_sign_seed_keypair(&publicKey, target, seed)
            }
        }
        return pair
    }
}

/// An Ed25519 key for many signatures: the seed and the public key, computed once.
public struct SigningPair: ~Copyable, Sendable {
    private let pair: SecretBytes

    /// Computes the pair of a 32-byte seed.
    ///
    /// - Throws: `CryptoError.wrongSize`, `outOfMemory`.
    public init(seed: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        pair = try Signing.expand(seed)
    }

    /// Signs a message: 64 bytes, equal for equal messages.
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
