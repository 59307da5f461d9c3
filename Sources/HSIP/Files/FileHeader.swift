/// The first 102 bytes of a file or a parcel for a contact: what it is, and the message that carries its key.
///
/// Nothing of it is authenticated by itself: every chunk depends on all of it (Schemas/file-container.md).
public struct FileHeader: Hashable, Sendable {
    /// What every file begins with: no text does, and a transfer that changes line ends is noticed.
    public static let magic: [UInt8] = [0x89] + Array("HSIPF".utf8) + [0x0D, 0x0A]
    /// The only version there is.
    public static let version: UInt8 = 1
    /// Bytes of the whole header.
    public static let size = magic.count + 1 + messageSize

    private static let messageSize = MessageEnvelope.headerSize + MessagePurpose.fileKeySize

    /// What it is the header of.
    public let purpose: ContainerPurpose
    /// The message that carries the key of the file.
    public let keyMessage: MessageEnvelope

    /// The header for a key message.
    ///
    /// - Throws: `malformedFile`, or `malformedGift`, for a message of another length.
    public init(keyMessage: MessageEnvelope, for purpose: ContainerPurpose = .file) throws(HSIPError) {
        guard keyMessage.bytes.count == Self.messageSize else { throw purpose.malformed }
        self.purpose = purpose
        self.keyMessage = keyMessage
    }

    /// Reads a header.
    ///
    /// - Throws: `malformedFile`, or `malformedGift`, for anything else; `unsupportedVersion` for a container of a
    ///   newer program.
    public init(bytes: [UInt8], for purpose: ContainerPurpose = .file) throws(HSIPError) {
        guard bytes.starts(with: purpose.magic), bytes.count > Self.magic.count else {
            throw purpose.malformed
        }
        guard bytes[Self.magic.count] == Self.version else { throw .unsupportedVersion }
        guard bytes.count == Self.size,
            let message = try? MessageEnvelope(bytes: Array(bytes.suffix(Self.messageSize)))
        else { throw purpose.malformed }
        self.purpose = purpose
        keyMessage = message
    }

    /// Whether bytes are the beginning of a file, of any version.
    public static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// The header as it is written.
    public var bytes: [UInt8] { purpose.magic + [Self.version] + keyMessage.bytes }
}
