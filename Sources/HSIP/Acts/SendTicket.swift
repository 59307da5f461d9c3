public import VaultCrypto

/// Everything needed to seal one message, handed out once its number is reserved.
public struct SendTicket: Sendable {
    /// The message key of this direction.
    public let key: Secret
    /// My PeerID, for the header.
    public let sender: PeerID
    /// The hedged nonce, 12 bytes, for this plaintext and number.
    public let nonce: [UInt8]
    /// Messages sealed under this key, this one included.
    public let sent: UInt16
    /// The most it may seal.
    public let limit: UInt16
    /// When the epoch ends, Unix seconds.
    public let endsAt: UInt64
    /// SHA-256 of the plaintext that the nonce was made for.
    let digest: [UInt8]
    /// What the message is for.
    let purpose: MessagePurpose
    /// The key of a file or a parcel, if that is what the message carries.
    public let fileKey: Secret?

    /// Seals the plaintext that the ticket was asked for, and no other: two texts under one nonce would show
    /// each other.
    ///
    /// - Throws: `badPlaintext` for any other text; `outOfMemory`.
    public func seal(_ plaintext: Secret) throws(HSIPError) -> MessageEnvelope {
        guard ConstantTime.equal(Hash.sha256(plaintext), digest) else { throw .badPlaintext }
        return try MessageCipher.seal(plaintext, key: key, sender: sender, nonce: nonce, purpose: purpose)
    }
}
