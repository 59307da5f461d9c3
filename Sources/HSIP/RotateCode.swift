internal import VaultCrypto

/// ROTATE: "let us have new keys" inside a pairing (140 bytes; 1,324 in suite 02).
///
/// The code does not name its author or its recipient.
public struct RotateCode: Hashable, Sendable {
    /// The length without the KEM key.
    static let fixedCount = 140

    /// Version, kind, times and terms.
    public let header: CodeHeader
    /// The epoch that it continues, by its 8-byte public name: a hint only.
    public let ref: [UInt8]
    /// The number of the epoch that it proposes, at least 1.
    public let epoch: UInt32
    /// The number of the attempt towards that epoch, at least 1.
    public let attempt: UInt16
    /// The author's one-time X25519 public key, 32 bytes.
    public let ephemeralKey: [UInt8]
    /// The author's one-time public key of ML-KEM-768, 1,184 bytes; empty in suite 01.
    public let kemKey: [UInt8]
    /// HMAC under the epoch's rotate key, 16 bytes.
    public let mac: [UInt8]
    /// Ed25519 over the label, the ref, the code and the mac, 64 bytes.
    public let signature: [UInt8]
    /// The exact encoding.
    public let bytes: [UInt8]

    /// Reads a ROTATE from its exact bytes.
    ///
    /// - Throws: The errors of `CodeHeader.init(bytes:)`; `malformed` for any other kind or length, epoch 0, attempt 0.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        header = try reader.header(.rotate)
        ref = try reader.take(8)
        epoch = try reader.u32()
        attempt = try reader.u16()
        ephemeralKey = try reader.take(32)
        kemKey = try reader.take(header.kemSize)
        mac = try reader.take(16)
        signature = try reader.take(64)
        try reader.finish()
        guard epoch >= 1, attempt >= 1 else { throw .malformed }
        self.bytes = bytes
    }

    /// The bytes that the mac covers: everything before it (rotate[..−80]).
    ///
    /// - Throws: `malformed` for a field of the wrong length, epoch 0, attempt 0, or a header of another kind.
    public static func unsigned(
        header: CodeHeader,
        ref: [UInt8],
        epoch: UInt32,
        attempt: UInt16,
        ephemeralKey: [UInt8],
        kemKey: [UInt8] = []
    ) throws(HSIPError) -> [UInt8] {
        guard header.kind == .rotate, epoch >= 1, attempt >= 1 else { throw .malformed }
        return header.bytes + (try ref.sized(8)) + epoch.bigEndianBytes + attempt.bigEndianBytes
            + (try ephemeralKey.sized(32)) + (try kemKey.sized(header.kemSize))
    }

    /// Completes a ROTATE with its MAC and signature.
    public init(unsigned: [UInt8], mac: [UInt8], signature: [UInt8]) throws(HSIPError) {
        try self.init(bytes: unsigned + (try mac.sized(16)) + signature)
    }

    /// The bytes before the MAC: rotate[..−80].
    public var unsignedBytes: [UInt8] { Array(bytes.dropLast(80)) }

    /// rotateRef = SHA256(L(rotate-ref) ‖ rotate)[0..16], by which an ACCEPT names this code.
    public var rotateRef: [UInt8] { Array(Hash.sha256(Label.rotateRef.bytes + bytes).prefix(16)) }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, kind: .rotate) }
}
