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

    /// The exit code (Schemas/errors.json).
    public var exitCode: Int32 {
        switch self {
        case .unknownEntry: 3
        case .badEntry, .malformed, .unsupportedVersion: 13
        case .outOfMemory: 12
        }
    }

    /// The name, as the JSON output spells it.
    public var name: String {
        switch self {
        case .unknownEntry: "unknownTextEntry"
        case .badEntry: "badTextEntry"
        case .malformed: "malformedTextHistory"
        case .unsupportedVersion: "unsupportedVersion"
        case .outOfMemory: "outOfMemory"
        }
    }
}
