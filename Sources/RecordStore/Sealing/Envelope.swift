package import VaultCrypto

/// Seal(k, aad, p) of the format: XChaCha20-Poly1305 with a fresh hedged nonce.
///
/// Randomness alone is not enough: two copies of one machine may draw the same bytes and seal different records with
/// them.
/// `opening` is nonce 24 ‖ tag 16; the ciphertext is as long as the plaintext.
package enum Envelope {
    /// Bytes of nonce and tag.
    package static let openingSize = XChaCha20Poly1305.nonceSize + XChaCha20Poly1305.tagSize

    /// Seals under a fresh nonce.
    package static func seal(
        _ plaintext: borrowing some ByteSource & ~Copyable,
        key: Secret,
        authenticating data: [UInt8],
        entropy: Entropy
    ) throws(StoreError) -> (opening: [UInt8], ciphertext: [UInt8]) {
        do {
            let nonce = try XChaCha20Poly1305.hedgedNonce(
                for: plaintext,
                key: key,
                authenticating: data,
                entropy: entropy
            )
            let box = try XChaCha20Poly1305.seal(plaintext, key: key, nonce: nonce, authenticating: data)
            return (nonce + box.tag, box.ciphertext)
        } catch {
            throw StoreError(error)
        }
    }

    /// Opens a blob nonce ‖ tag ‖ ciphertext; nil if authentication fails.
    package static func open(
        _ blob: [UInt8],
        key: borrowing some ByteSource & ~Copyable,
        authenticating data: [UInt8]
    ) throws(StoreError) -> SecretBytes? {
        guard blob.count >= openingSize else { return nil }
        do {
            return try XChaCha20Poly1305.open(
                blob[openingSize...],
                tag: blob[XChaCha20Poly1305.nonceSize..<openingSize],
                key: key,
                nonce: blob[..<XChaCha20Poly1305.nonceSize],
                authenticating: data
            )
        } catch .authenticationFailed {
            return nil
        } catch {
            throw StoreError(error)
        }
    }
}
