internal import VaultCrypto

/// The key of one file, hedged as nonces are.
///
/// Randomness alone would not do: two copies of one machine may draw the same, and two files under one key would
/// show each other. So it also depends on the send counter and on what the file holds, under the nonce key of the
/// own direction (Schemas/file-container.md).
enum FileKey {
    /// HMAC(nonce key, L(file-key) ‖ random 32 ‖ counter u32 ‖ digest 32), 32 bytes.
    ///
    /// - Parameters:
    ///   - nonceKey: the nonce key of the own direction; 32 bytes.
    ///   - counter: the send count after the reservation.
    ///   - digest: what `FileDigest` made of the file.
    ///   - entropy: where the 32 random bytes come from.
    /// - Returns: the key, in locked memory.
    /// - Throws: `malformed` for a digest of another size; `outOfMemory`.
    static func make(
        nonceKey: Secret,
        counter: UInt32,
        digest: [UInt8],
        entropy: Entropy
    ) throws(HSIPError) -> Secret {
        guard digest.count == FileDigest.size else { throw .malformed }
        do {
            let random = Secret(try entropy.secret(MessagePurpose.fileKeySize))
            let input = try SecretBytes.joined([
                Label.fileKey.bytes, random, counter.bigEndianBytes, digest,
            ])
            // HKDF-Extract is HMAC under the salt; this way the result is in locked memory from the start.
            return Secret(try HKDF.extract(salt: nonceKey, keyMaterial: input))
        } catch {
            throw HSIPError(error)
        }
    }
}
