internal import CMLKEM
internal import CSodium
internal import Synchronization

/// Key encapsulation that withstands quantum computers: ML-KEM-768 (FIPS 203), by BoringSSL.
///
/// A changed ciphertext is not refused, but returns another secret (implicit rejection). Only a confirmation of the
/// derived key can reveal that.
public enum MLKEM768 {
    /// Bytes in a seed (d ‖ z), the only stored part of a private key.
    public static let seedSize = 64
    /// Bytes in a public (encapsulation) key.
    public static let publicKeySize = 1184
    /// Bytes in a ciphertext.
    public static let ciphertextSize = 1088
    /// Bytes in a shared secret, and in the randomness of one encapsulation.
    public static let secretSize = 32

    /// Computes the public key of a seed.
    ///
    /// - Throws: `CryptoError.wrongSize`; `outOfMemory`.
    public static func publicKey(
        of seed: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> [UInt8] {
        try seed.require(seedSize)
        return unsafe try seed.withPointer { seed, _ throws(CryptoError) in
            unsafe try withPrivateKey { privateKey in
                unsafe Array(count: publicKeySize) { output in
                    _ = unsafe CCryptoBoringSSL_BCM_mlkem768_generate_key_external_seed(
                        output,
                        privateKey,
                        seed
                    )
                }
            }
        }
    }

    /// Checks that FIPS 203 section 7.2 allows a public key.
    ///
    /// - Throws: `CryptoError.badPublicKey` if it encodes a number of 3,329 or more; `wrongSize`.
    public static func check(_ publicKey: [UInt8]) throws(CryptoError) { _ = try parsed(publicKey) }

    /// Makes a new shared secret, and the ciphertext that carries it to the owner of the seed.
    ///
    /// - Parameters:
    ///   - publicKey: The recipient's key, which is checked as `check` does.
    ///   - random: 32 random bytes for this call only, which must stay as secret as the result.
    /// - Returns: The ciphertext, 1,088 bytes, and the secret, 32 bytes.
    /// - Throws: `CryptoError.badPublicKey`; `wrongSize`; `outOfMemory`.
    public static func encapsulate(
        to publicKey: [UInt8],
        random: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> (ciphertext: [UInt8], secret: Secret) {
        try random.require(secretSize)
        let publicKey = try parsed(publicKey)
        var secret = try SecretBytes(count: secretSize)
        defer { CalledStack.wipe() }
        let ciphertext = unsafe secret.withMutablePointer { secret, _ in
            unsafe random.withPointer { random, _ in
                unsafe Array(count: ciphertextSize) { output in
                    _ = unsafe CCryptoBoringSSL_BCM_mlkem768_encap_external_entropy(
                        output,
                        secret,
                        publicKey,
                        random
                    )
                }
            }
        }
        return (ciphertext, Secret(secret))
    }

    /// Opens a ciphertext: returns its shared secret, 32 bytes.
    ///
    /// - Throws: `CryptoError.wrongSize`; `outOfMemory`.
    public static func decapsulate(
        _ ciphertext: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try seed.require(seedSize)
        try ciphertext.require(ciphertextSize)
        var secret = try SecretBytes(count: secretSize)
        let isDone = unsafe try seed.withPointer { seed, count throws(CryptoError) in
            unsafe try withPrivateKey { privateKey in
                unsafe secret.withMutablePointer { secret, _ in
                    unsafe CCryptoBoringSSL_MLKEM768_private_key_from_seed(privateKey, seed, count) == 1
                        && CCryptoBoringSSL_MLKEM768_decap(secret, ciphertext, ciphertext.count, privateKey)
                            == 1
                }
            }
        }
        guard isDone else { throw .outOfMemory }
        return secret
    }

    /// Locked memory for one unpacked private key at a time, which is zero between two calls.
    private static let room = Mutex<SecretBytes?>(nil)

    /// Passes zeroed memory for a private key to `body`, and then wipes it and the stack.
    private static func withPrivateKey<R: Sendable>(
        _ body: (UnsafeMutablePointer<UInt8>) -> R
    ) throws(CryptoError) -> R {
        let result = try room.withLock { room throws(CryptoError) in
            if room == nil { room = try SecretBytes(count: Int(hsip_mlkem_private_size)) }
            defer { CalledStack.wipe() }
            return unsafe room?.withMutablePointer { privateKey, size in
                defer { unsafe sodium_memzero(privateKey, size) }
                return unsafe body(privateKey)
            }
        }
        guard let result else { throw .outOfMemory }
        return result
    }

    /// Parses a public key into the form of the library.
    private static func parsed(_ publicKey: [UInt8]) throws(CryptoError) -> [UInt8] {
        try publicKey.require(publicKeySize)
        var isGood = false
        let parsed = unsafe Array(count: Int(hsip_mlkem_public_size)) { output in
            unsafe publicKey.withUnsafeBufferPointer { encoded in
                var input = unsafe hsip_mlkem_input(data: encoded.baseAddress, count: encoded.count)
                isGood = unsafe CCryptoBoringSSL_MLKEM768_parse_public_key(output, &input) == 1
            }
        }
        guard isGood else { throw .badPublicKey }
        return parsed
    }
}
