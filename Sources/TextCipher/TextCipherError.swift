/// What can go wrong with a text under a typed key.
public enum TextCipherError: Error, Equatable, Sendable {
    /// Not such a text: another word before it, not base64, too short.
    case malformed
    /// More than a text may have.
    case tooLong
    /// What shall be encrypted is not UTF-8.
    case notText
    /// A key without a character.
    case emptyKey
    /// The key is another, or the text was changed: nobody can tell which.
    case cannotOpen
    /// Locked memory was not to be had.
    case outOfMemory
}

extension TextCipherError {
    /// The exit code (Schemas/exit-codes.json).
    public var exitCode: Int32 {
        switch self {
        case .malformed, .tooLong, .notText: 13
        case .emptyKey: 2
        case .cannotOpen: 11
        case .outOfMemory: 12
        }
    }

    /// The name in Schemas/errors.json.
    public var name: String {
        switch self {
        case .malformed: "malformedText"
        case .tooLong: "textTooLong"
        case .notText: "notText"
        case .emptyKey: "emptyKey"
        case .cannotOpen: "textNotOpened"
        case .outOfMemory: "outOfMemory"
        }
    }
}
