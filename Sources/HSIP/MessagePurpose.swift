/// What a sealed message is for; bound into it, so that one is never opened as the other.
///
/// Without that, anyone who may choose a text that is sealed for another person could choose the key of a file that
/// seems to come from the same sender.
public enum MessagePurpose: Sendable {
    /// A text for a person to read.
    case text
    /// The key of one file (Schemas/file-container.md): 32 bytes that no person sees.
    case fileKey
    /// The key of one parcel (Schemas/parcel.md), of the same size.
    case parcelKey

    /// Bytes in the key of a file or a parcel.
    public static let fileKeySize = 32

    /// The constant additional data of its messages.
    public var associatedData: [UInt8] {
        switch self {
        case .text: MessageCipher.associatedData
        case .fileKey: Self.fileKeyData
        case .parcelKey: Self.parcelKeyData
        }
    }

    private static let fileKeyData = Array("HSIP-FILE-v1".utf8)
    private static let parcelKeyData = Array("HSIP-SECRET-v1".utf8)
}
