/// What can go wrong with a text under a typed key.
public enum TextCipherError: Error, Equatable, Sendable {
    /// Not such a text: another word before it, not base64, too short.
    case malformed
    /// More than a text may have.
    case tooLong
    /// The text to encrypt is not UTF-8.
    case notText
    /// A key without a character.
    case emptyKey
    /// The key is another, or the text was changed: it is impossible to tell which.
    case cannotOpen
    /// Locked memory was not to be had.
    case outOfMemory
}
