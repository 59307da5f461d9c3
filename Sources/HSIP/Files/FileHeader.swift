internal import VaultCrypto

/// The first 102 bytes of a file or a parcel for a contact: magic, version, and the message that carries its
/// key.
///
/// The header is not authenticated by itself, but every chunk depends on all of it
/// (Schemas/file-container.md).
public struct FileHeader: Hashable, Sendable {
    /// The magic of a file: no text begins with it, and it reveals a transfer that changes line ends.
    public static let magic: [UInt8] = [0x89] + Array("HSIPF".utf8) + [0x0D, 0x0A]
    /// The only version.
    public static let version: UInt8 = 1
    /// Bytes of the whole header.
    public static let size = magic.count + 1 + messageSize

    private static let messageSize = MessageEnvelope.headerSize + MessagePurpose.fileKeySize

    /// The purpose of the container.
    public let purpose: ContainerPurpose
    /// The message that carries the key of the file.
    public let keyMessage: MessageEnvelope

    /// Makes the header of a key message.
    ///
    /// - Throws: `malformedFile`, or `malformedGift`, for a message of another length.
    public init(keyMessage: MessageEnvelope, for purpose: ContainerPurpose = .file) throws(HSIPError) {
        guard keyMessage.bytes.count == Self.messageSize else { throw purpose.malformed }
        self.purpose = purpose
        self.keyMessage = keyMessage
    }

    /// Reads a header.
    ///
    /// - Throws: `malformedFile`, or `malformedGift`, for malformed bytes; `unsupportedVersion` for a
    ///   container of a newer program.
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

    /// True if bytes begin like a file, of any version.
    public static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// The exact encoding.
    public var bytes: [UInt8] { purpose.magic + [Self.version] + keyMessage.bytes }
}

/// The purpose of a sealed container.
///
/// Files and parcels differ in three constants, so neither opens as the other (Schemas/parcel.md).
public enum ContainerPurpose: Sendable, CaseIterable, Codable {
    /// A file for a contact.
    case file
    /// A parcel: a secret for a contact, which is sent from vault to vault and never shown on the way.
    case parcel

    /// The magic of such a container: no text begins with it, and it reveals a transfer that changes line ends.
    public var magic: [UInt8] {
        switch self {
        case .file: FileHeader.magic
        case .parcel: SealedParcel.magic
        }
    }

    /// The purpose of the container's key message.
    var keyPurpose: MessagePurpose {
        switch self {
        case .file: .fileKey
        case .parcel: .parcelKey
        }
    }

    /// The info from which the key of the chunks is derived.
    var chunkInfo: [UInt8] {
        switch self {
        case .file: Array("HSIP-FILE-v1 chunks".utf8)
        case .parcel: Array("HSIP-SECRET-v1 chunks".utf8)
        }
    }

    /// The error for bytes that are not such a container.
    var malformed: HSIPError {
        switch self {
        case .file: .malformedFile
        case .parcel: .malformedGift
        }
    }
}

/// The key of one file, hedged like nonces.
///
/// Randomness alone is not enough: two copies of one machine may draw the same bytes, and two files under one key would
/// reveal each other. So the key also depends on the send counter and the file's content, under the nonce key of the
/// own direction (Schemas/file-container.md).
enum FileKey {
    /// HMAC(nonce key, L(file-key) ‖ random 32 ‖ counter u32 ‖ digest 32), 32 bytes.
    ///
    /// - Parameters:
    ///   - nonceKey: the nonce key of the own direction; 32 bytes.
    ///   - counter: the send count after the reservation.
    ///   - digest: the file's digest by `FileDigest`.
    ///   - entropy: the source of the 32 random bytes.
    /// - Returns: the key, in locked memory.
    /// - Throws: `malformed` for a digest of another size; `outOfMemory`.
    static func make(
        nonceKey: Secret,
        counter: UInt32,
        digest: [UInt8],
        entropy: Entropy
    ) throws(HSIPError) -> Secret {
        guard digest.count == FileDigest.size else { throw .malformed }
        do {
            let random = Secret(try entropy.secret(MessagePurpose.fileKeySize))
            let input = try SecretBytes.joined([
                Label.fileKey.bytes, random, counter.bigEndianBytes, digest,
            ])
            // HKDF-Extract is HMAC under the salt; used here because its result is in locked memory from the start.
            return Secret(try HKDF.extract(salt: nonceKey, keyMaterial: input))
        } catch {
            throw HSIPError(error)
        }
    }
}
