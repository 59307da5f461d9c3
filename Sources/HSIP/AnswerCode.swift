internal import VaultCrypto

/// ANSWER: the reply to one offer, bound to it by hash (175 bytes and the name; 1,088 more in suite 02).
///
/// Reading checks the form only; the signature and the confirmation need the offer and the key schedule.
public struct AnswerCode: Hashable, Sendable {
    /// The length without the name and the KEM ciphertext.
    static let fixedCount = 175
    /// The offset of the name's length.
    static let nameOffset = 94

    /// Version, kind, times and terms.
    public let header: CodeHeader
    /// The answered offer: the first 16 bytes of its hash.
    public let offerRef: [UInt8]
    /// The answerer's Ed25519 public key, 32 bytes.
    public let identityKey: [UInt8]
    /// The answerer's one-time X25519 public key, 32 bytes.
    public let ephemeralKey: [UInt8]
    /// The name that the answerer chose; may be empty.
    public let name: String
    /// The ML-KEM-768 ciphertext for the offerer, 1,088 bytes; empty in suite 01.
    public let kemCiphertext: [UInt8]
    /// Proof that the answerer derived the same key, 16 bytes.
    public let confirm: [UInt8]
    /// Ed25519 over the label, th and `confirm`, 64 bytes.
    public let signature: [UInt8]
    /// The answerer's PeerID.
    public let peerID: PeerID
    /// The exact encoding.
    public let bytes: [UInt8]

    /// Reads an answer from its exact bytes.
    ///
    /// - Throws: The errors of `CodeHeader.init(bytes:)`; `malformed` for any other kind, length, or refused name.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        header = try reader.header(.answer)
        offerRef = try reader.take(16)
        identityKey = try reader.take(32)
        ephemeralKey = try reader.take(32)
        name = try reader.name()
        kemCiphertext = try reader.take(header.kemSize)
        confirm = try reader.take(16)
        signature = try reader.take(64)
        try reader.finish()
        peerID = try PeerID(identity: identityKey)
        self.bytes = bytes
    }

    /// The bytes that the transcript hashes: everything before `confirm` (answer[..−80]).
    ///
    /// - Throws: `malformed` for a field of the wrong length, a refused name, or a header of another kind.
    public static func unsigned(
        header: CodeHeader,
        offerRef: [UInt8],
        identityKey: [UInt8],
        ephemeralKey: [UInt8],
        name: String,
        kemCiphertext: [UInt8] = []
    ) throws(HSIPError) -> [UInt8] {
        guard header.kind == .answer else { throw .malformed }
        return header.bytes + (try offerRef.sized(16)) + (try identityKey.sized(32))
            + (try ephemeralKey.sized(32)) + (try PeerName.field(name))
            + (try kemCiphertext.sized(header.kemSize))
    }

    /// Completes an answer with its confirmation tag and signature.
    public init(unsigned: [UInt8], confirm: [UInt8], signature: [UInt8]) throws(HSIPError) {
        try self.init(bytes: unsigned + (try confirm.sized(16)) + signature)
    }

    /// The bytes before `confirm`: answer[..−80].
    public var unsignedBytes: [UInt8] { Array(bytes.dropLast(80)) }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, kind: .answer) }
}
