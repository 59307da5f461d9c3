internal import VaultCrypto

extension OfferCode {
    /// thO = SHA256(L(offer) ‖ offer), 32 bytes: what an answer is bound to.
    public var transcriptHash: [UInt8] { Hash.sha256(Label.offer.bytes + bytes) }

    /// offerRef: the first 16 bytes of `transcriptHash`.
    public var ref: [UInt8] { Array(transcriptHash.prefix(16)) }

    /// Checks sigA with the identity key inside the offer; `badSignature`.
    ///
    /// It proves that the holder of that identity made these bytes, not who that is.
    public func verifySignature() throws(HSIPError) {
        try KeySchedule.verifyOffer(signature, unsigned: unsignedBytes, publicKey: identityKey)
    }
}
