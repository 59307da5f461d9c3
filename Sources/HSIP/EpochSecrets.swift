public import VaultCrypto

/// The keys of one epoch: D(..) of section 4, everything that a pairing needs until the next rotation.
///
/// The secret that they come from (prk) is wiped by its owner afterwards. D(single) is in no profile of this
/// release and is not made.
public struct EpochSecrets: Sendable {
    /// The message key from the offerer to the answerer, 32 bytes.
    public let i2r: Secret
    /// The message key from the answerer to the offerer, 32 bytes.
    public let r2i: Secret
    /// The key of the confirmation tag, 32 bytes; spent once the answer or accept is checked.
    public let confirm: Secret
    /// The key of the MACs in rotate and revoke codes, 32 bytes.
    public let rotate: Secret
    /// The secret from which the next epoch is derived, 32 bytes.
    public let chain: Secret
    /// The nonce key of the offerer's messages, 32 bytes.
    public let nonceI2R: Secret
    /// The nonce key of the answerer's messages, 32 bytes.
    public let nonceR2I: Secret
    /// The secret from which the 12 emoji are made, 32 bytes; used before the commit and never stored.
    public let emoji: Secret
    /// The public name of the epoch, 8 bytes.
    public let ref: [UInt8]

    /// Expands `prk` (32 bytes) into the keys of its epoch.
    ///
    /// - Throws: `outOfMemory`.
    public static func derive(prk: borrowing some ByteSource & ~Copyable) throws(HSIPError) -> EpochSecrets {
        do {
            return EpochSecrets(
                i2r: Secret(try key(.i2r, of: prk)),
                r2i: Secret(try key(.r2i, of: prk)),
                confirm: Secret(try key(.confirm, of: prk)),
                rotate: Secret(try key(.rotate, of: prk)),
                chain: Secret(try key(.chain, of: prk)),
                nonceI2R: Secret(try key(.nonceI2R, of: prk)),
                nonceR2I: Secret(try key(.nonceR2I, of: prk)),
                emoji: Secret(try key(.emoji, of: prk)),
                ref: try HKDF.expand(prk, info: Label.ref.bytes, count: 8).withBytes { $0.copied() }
            )
        } catch {
            throw HSIPError(error)
        }
    }

    /// D(x) = HKDF-Expand(prk, L(x), 32).
    static func key(
        _ label: Label,
        of prk: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try HKDF.expand(prk, info: label.bytes, count: 32)
    }

    /// The key with which `role` seals its messages, and the other side opens them.
    public func messageKey(from role: Role) -> Secret {
        role == .offerer ? i2r : r2i
    }

    /// The key from which `role` makes its nonces.
    public func nonceKey(of role: Role) -> Secret {
        role == .offerer ? nonceI2R : nonceR2I
    }
}
