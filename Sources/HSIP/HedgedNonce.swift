public import VaultCrypto

/// Message nonces that stay distinct even when the random source repeats itself.
///
/// A nonce depends on fresh randomness, on the send counter and on the plaintext, under a secret key. So two
/// different texts get different nonces even after a broken generator, a copied machine or a restored counter
/// (Schemas/hsip-xc1.md section 7). On the wire it is 12 opaque bytes.
public enum HedgedNonce {
    /// The nonce of one message.
    ///
    /// - Parameters:
    ///   - nonceKey: the nonce key of the own direction, or `legacyKey(of:)`; 32 bytes.
    ///   - random: 16 fresh random bytes.
    ///   - counter: the send count after the reservation; the first message has 1.
    ///   - plaintext: what will be sealed.
    /// - Returns: HMAC-SHA256 of randomness, counter and the hash of the plaintext, cut to 12 bytes.
    public static func make(
        nonceKey: borrowing some ByteSource & ~Copyable,
        random: [UInt8],
        counter: UInt32,
        plaintext: borrowing some ByteSource & ~Copyable
    ) -> [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(52)
        input += random
        for shift in [24, 16, 8, 0] as [UInt32] {
            input.append(UInt8(truncatingIfNeeded: counter >> shift))
        }
        input += Hash.sha256(plaintext)
        var nonce = HMACSHA256.tag(input, key: nonceKey)
        nonce.removeLast(HMACSHA256.tagSize - 12)
        return nonce
    }

    /// The nonce key of an imported key K: HMAC(K, L(nonce-legacy)), 32 bytes.
    ///
    /// - Throws: `outOfMemory`.
    public static func legacyKey(of key: borrowing some ByteSource & ~Copyable) throws(HSIPError)
        -> SecretBytes
    {
        // HKDF-Extract is HMAC under the salt; this way the result is in locked memory from the start.
        do {
            return try HKDF.extract(salt: key, keyMaterial: Label.nonceLegacy.bytes)
        } catch {
            throw HSIPError(error)
        }
    }
}
