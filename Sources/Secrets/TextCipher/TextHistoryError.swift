/// What the vault refuses about the history of texts.
public enum TextHistoryError: Error, Equatable, Sendable, Codable {
    /// No entry has this number.
    case unknownEntry
    /// What is to be remembered is no encrypted text.
    case badEntry
    /// A content that is not in its form.
    case malformed
    /// A newer program wrote it.
    case unsupportedVersion(UInt8)
    /// No locked memory was to be had.
    case outOfMemory
}
