/// What a sealed container carries.
///
/// The two differ in three constants, so none of them opens as the other (Schemas/parcel.md).
public enum ContainerPurpose: Sendable, CaseIterable, Codable {
    /// A file for a contact.
    case file
    /// A parcel: a secret for a contact, which goes from vault to vault and is never shown in passing.
    case parcel

    /// What every such container begins with: no text does, and a transfer that changes line ends is noticed.
    public var magic: [UInt8] {
        switch self {
        case .file: FileHeader.magic
        case .parcel: SealedParcel.magic
        }
    }

    /// What its key message is for.
    var keyPurpose: MessagePurpose {
        switch self {
        case .file: .fileKey
        case .parcel: .parcelKey
        }
    }

    /// Goes into the key of its chunks.
    var chunkInfo: [UInt8] {
        switch self {
        case .file: Array("HSIP-FILE-v1 chunks".utf8)
        case .parcel: Array("HSIP-SECRET-v1 chunks".utf8)
        }
    }

    /// What bytes that are no such container are refused with.
    var malformed: HSIPError {
        switch self {
        case .file: .malformedFile
        case .parcel: .malformedGift
        }
    }
}
