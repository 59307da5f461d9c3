/// One sealed HSIP v1 message: `01 | sender 32 | nonce 12 | tag 16 | ciphertext`.
///
/// The sender is not authenticated: it says whose keys to try, the key that opens the message says who wrote
/// it. The ciphertext is as long as the plaintext.
public struct MessageEnvelope: Hashable, Sendable {
    /// The only version there is.
    public static let version: UInt8 = 1
    /// Versions that only a newer program can have written.
    static let newerVersions: ClosedRange<UInt8> = 2...3
    /// The length before the ciphertext, and of the shortest message: an empty plaintext is legal.
    public static let headerSize = 61
    /// The longest message, 1 MiB: what a program must be ready to hold.
    public static let longest = 1 << 20

    /// Where the nonce lies.
    static let nonceRange = 33..<45
    /// Where the tag lies.
    static let tagRange = 45..<61

    /// The whole message, 61 bytes to 1 MiB.
    public let bytes: [UInt8]
    /// Whose message it claims to be; nothing authenticates it.
    public let sender: PeerID

    /// Reads a message from its bytes.
    ///
    /// - Throws: `unsupportedVersion` for one of a newer program; `malformedMessage` for a wrong length or another version.
    public init(bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count >= Self.headerSize, bytes.count <= Self.longest else { throw .malformedMessage }
        guard !Self.newerVersions.contains(bytes[0]) else { throw .unsupportedVersion }
        guard bytes[0] == Self.version, let sender = PeerID(bytes: Array(bytes[1..<33]))
        else { throw .malformedMessage }
        self.bytes = bytes
        self.sender = sender
    }

    /// Puts a sealed message together; the cipher has checked the sizes.
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
