internal import VaultCrypto

/// OFFER: "here is my identity and a fresh key; answer it" (143 bytes and the name; 1,184 more in suite 02).
///
/// Reading checks the form only; a caller that uses an offer calls `verifySignature` first.
public struct OfferCode: Hashable, Sendable {
    /// The length without the name and the KEM key.
    static let fixedCount = 143
    /// The offset of the name's length.
    static let nameOffset = 78

    /// Version, kind, times and terms.
    public let header: CodeHeader
    /// The offerer's Ed25519 public key, 32 bytes.
    public let identityKey: [UInt8]
    /// The offerer's one-time X25519 public key, 32 bytes.
    public let ephemeralKey: [UInt8]
    /// The name that the offerer chose; may be empty.
    ///
    /// The receiver's alias always has priority over it.
    public let name: String
    /// The offerer's one-time public key of ML-KEM-768, 1,184 bytes; empty in suite 01.
    public let kemKey: [UInt8]
    /// Ed25519 over the label and everything before it, 64 bytes.
    public let signature: [UInt8]
    /// The offerer's PeerID.
    public let peerID: PeerID
    /// The exact encoding.
    public let bytes: [UInt8]

    /// Reads an offer from its exact bytes.
    ///
    /// - Throws: The errors of `CodeHeader.init(bytes:)`; `malformed` for any other kind, length, or refused name.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        header = try reader.header(.offer)
        identityKey = try reader.take(32)
        ephemeralKey = try reader.take(32)
        name = try reader.name()
        kemKey = try reader.take(header.kemSize)
        signature = try reader.take(64)
        try reader.finish()
        peerID = try PeerID(identity: identityKey)
        self.bytes = bytes
    }

    /// The bytes that the offerer signs: everything before the signature (offer[..−64]).
    ///
    /// - Throws: `malformed` for a key of the wrong length, a refused name, or a header of another kind.
    public static func unsigned(
        header: CodeHeader,
        identityKey: [UInt8],
        ephemeralKey: [UInt8],
        name: String,
        kemKey: [UInt8] = []
    ) throws(HSIPError) -> [UInt8] {
        guard header.kind == .offer else { throw .malformed }
        return header.bytes + (try identityKey.sized(32)) + (try ephemeralKey.sized(32))
            + (try PeerName.field(name)) + (try kemKey.sized(header.kemSize))
    }

    /// Completes an offer with its signature.
    public init(unsigned: [UInt8], signature: [UInt8]) throws(HSIPError) {
        try self.init(bytes: unsigned + signature)
    }

    /// The bytes before the signature: offer[..−64].
    public var unsignedBytes: [UInt8] { Array(bytes.dropLast(64)) }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, kind: .offer) }
}

extension OfferCode {
    /// thO = SHA256(L(offer) ‖ offer), 32 bytes, which binds an answer to this offer.
    public var transcriptHash: [UInt8] { Hash.sha256(Label.offer.bytes + bytes) }

    /// offerRef: the first 16 bytes of `transcriptHash`.
    public var ref: [UInt8] { Array(transcriptHash.prefix(16)) }

    /// Checks sigA with the identity key inside the offer; throws `badSignature`.
    ///
    /// It proves that the owner of that identity made these bytes, not who the owner is.
    public func verifySignature() throws(HSIPError) {
        try KeySchedule.verifyOffer(signature, unsigned: unsignedBytes, publicKey: identityKey)
    }
}
