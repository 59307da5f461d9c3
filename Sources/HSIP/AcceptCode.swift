internal import VaultCrypto

/// ACCEPT: the reply to one ROTATE (154 bytes; 1,242 in suite 02).
///
/// The code does not name its author or its recipient.
public struct AcceptCode: Hashable, Sendable {
    /// The length without the KEM ciphertext.
    static let fixedCount = 154

    /// Version, kind, times and terms.
    public let header: CodeHeader
    /// The epoch that it continues, by its 8-byte public name: a hint only.
    public let ref: [UInt8]
    /// The number of the epoch that it makes, at least 1.
    public let epoch: UInt32
    /// The accepted ROTATE: 16 bytes of its hash.
    public let rotateRef: [UInt8]
    /// The author's one-time X25519 public key, 32 bytes.
    public let ephemeralKey: [UInt8]
    /// The ML-KEM-768 ciphertext for the author of the ROTATE, 1,088 bytes; empty in suite 01.
    public let kemCiphertext: [UInt8]
    /// Proof that the author derived the new epoch, 16 bytes.
    public let confirm: [UInt8]
    /// Ed25519 over the label, th' and `confirm`, 64 bytes.
    public let signature: [UInt8]
    /// The exact encoding.
    public let bytes: [UInt8]

    /// Reads an ACCEPT from its exact bytes.
    ///
    /// - Throws: The errors of `CodeHeader.init(bytes:)`; `malformed` for any other kind or length, or epoch 0.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        header = try reader.header(.accept)
        ref = try reader.take(8)
        epoch = try reader.u32()
        rotateRef = try reader.take(16)
        ephemeralKey = try reader.take(32)
        kemCiphertext = try reader.take(header.kemSize)
        confirm = try reader.take(16)
        signature = try reader.take(64)
        try reader.finish()
        guard epoch >= 1 else { throw .malformed }
        self.bytes = bytes
    }

    /// The bytes that the transcript hashes: everything before `confirm` (accept[..−80]).
    ///
    /// - Throws: `malformed` for a field of the wrong length, epoch 0, or a header of another kind.
    public static func unsigned(
        header: CodeHeader,
        ref: [UInt8],
        epoch: UInt32,
        rotateRef: [UInt8],
        ephemeralKey: [UInt8],
        kemCiphertext: [UInt8] = []
    ) throws(HSIPError) -> [UInt8] {
        guard header.kind == .accept, epoch >= 1 else { throw .malformed }
        return header.bytes + (try ref.sized(8)) + epoch.bigEndianBytes + (try rotateRef.sized(16))
            + (try ephemeralKey.sized(32)) + (try kemCiphertext.sized(header.kemSize))
    }

    /// Completes an ACCEPT with its confirmation tag and signature.
    public init(unsigned: [UInt8], confirm: [UInt8], signature: [UInt8]) throws(HSIPError) {
        try self.init(bytes: unsigned + (try confirm.sized(16)) + signature)
    }

    /// The bytes before `confirm`: accept[..−80].
    public var unsignedBytes: [UInt8] { Array(bytes.dropLast(80)) }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, kind: .accept) }
}
