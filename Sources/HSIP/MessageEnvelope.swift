/// One sealed HSIP v1 message: `01 | sender 32 | nonce 12 | tag 16 | ciphertext`.
///
/// The sender is not authenticated: it only selects the keys to try. The key that opens the message shows who wrote it.
/// The ciphertext is as long as the plaintext.
public struct MessageEnvelope: Hashable, Sendable {
    /// The only version.
    public static let version: UInt8 = 1
    /// Versions that only a newer program can have written.
    static let newerVersions: ClosedRange<UInt8> = 2...3
    /// The length before the ciphertext, and of the shortest message: an empty plaintext is legal.
    public static let headerSize = 61
    /// The longest message, 1 MiB, which every program must be able to read.
    public static let longest = 1 << 20

    /// The position of the nonce.
    static let nonceRange = 33..<45
    /// The position of the tag.
    static let tagRange = 45..<61

    /// The whole message, 61 bytes to 1 MiB.
    public let bytes: [UInt8]
    /// The claimed sender, which is not authenticated.
    public let sender: PeerID

    /// Reads a message from its bytes.
    ///
    /// - Throws: `unsupportedVersion` for a newer program's message; `malformedMessage` for a wrong length or another
    ///   version.
    public init(bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count >= Self.headerSize, bytes.count <= Self.longest else { throw .malformedMessage }
        guard !Self.newerVersions.contains(bytes[0]) else { throw .unsupportedVersion }
        guard bytes[0] == Self.version, let sender = PeerID(bytes: Array(bytes[1..<33]))
        else { throw .malformedMessage }
        self.bytes = bytes
        self.sender = sender
    }

    /// Creates a message from its sealed parts; the cipher has checked the sizes.
    init(sender: PeerID, nonce: [UInt8], tag: [UInt8], ciphertext: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerSize + ciphertext.count)
        bytes.append(Self.version)
        bytes += sender.bytes
        bytes += nonce
        bytes += tag
        bytes += ciphertext
        self.bytes = bytes
        self.sender = sender
    }

    /// The nonce, 12 bytes.
    public var nonce: [UInt8] { Array(bytes[Self.nonceRange]) }

    /// The authentication tag, 16 bytes.
    public var tag: [UInt8] { Array(bytes[Self.tagRange]) }

    /// The sealed text, as long as the plaintext.
    public var ciphertext: ArraySlice<UInt8> { bytes[Self.headerSize...] }
}
