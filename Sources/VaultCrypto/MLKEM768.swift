internal import CMLKEM
internal import CSodium
internal import Synchronization

/// Key encapsulation that a quantum computer does not undo: ML-KEM-768 (FIPS 203), by BoringSSL.
///
/// A ciphertext that was changed is not refused: it gives another secret (implicit rejection), which only a
/// confirmation of the key that grows from it can show.
public enum MLKEM768 {
    /// Bytes in a seed (d ‖ z): all that is kept of a private key.
    public static let seedSize = 64
    /// Bytes in a public (encapsulation) key.
    public static let publicKeySize = 1184
    /// Bytes in a ciphertext.
    public static let ciphertextSize = 1088
    /// Bytes in a shared secret, and in the randomness of one encapsulation.
    public static let secretSize = 32

    /// The public key of a seed.
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

    /// Refuses a public key that FIPS 203 section 7.2 does not allow.
    ///
    /// - Throws: `CryptoError.badPublicKey` if it encodes a number of 3,329 or more; `wrongSize`.
    public static func check(_ publicKey: [UInt8]) throws(CryptoError) { _ = try parsed(publicKey) }

    /// A fresh shared secret, and the ciphertext that brings it to the holder of the seed.
    ///
    /// - Parameters:
    ///   - publicKey: Checked as `check` does.
    ///   - random: 32 random bytes, used for nothing else: they must stay as secret as the result.
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

    /// The shared secret that a ciphertext brings, 32 bytes.
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

    /// Locked memory for one unpacked private key at a time, zero between two calls.
    private static let room = Mutex<SecretBytes?>(nil)

    /// Passes zero bytes for a private key to `body`, and wipes them and the stack after it.
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

    /// A public key as the library unpacks it.
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
