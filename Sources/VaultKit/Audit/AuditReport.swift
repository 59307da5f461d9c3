/// The result of checking the whole audit log.
public struct AuditReport: Hashable, Sendable, Codable {
    /// The number of readable entries.
    public internal(set) var count: UInt64 = 0
    /// The number of the first entry; nil for an empty log.
    public internal(set) var first: UInt64?
    /// The number of the last entry.
    public internal(set) var last: UInt64?
    /// The number of files.
    public internal(set) var files = 0
    /// The number of the last entry that the vault itself knows.
    public internal(set) var marked: UInt64 = 0
    /// The faults, in the order of the log.
    public internal(set) var findings: [AuditFinding] = []

    /// Makes the report of a log that was never begun.
    package init() {}

    /// Whether the log has no fault.
    public var isWhole: Bool { findings.isEmpty }
}

/// A fault in the audit log.
public enum AuditFinding: Hashable, Sendable, Codable {
    /// A file, with this number, is unreadable.
    case unreadableFile(UInt32)
    /// A file has bytes after an entry that are not an entry of this log: cut, changed or out of order.
    case damaged(file: UInt32, after: UInt64)
    /// Entries are missing: `found` follows directly after `after`.
    case gap(after: UInt64, found: UInt64)
    /// The beginning is missing, although the log is too short to have deleted its oldest file.
    case missingStart(first: UInt64)
    /// The vault has seen entries up to `expected`; the log ends at `found`.
    case missingEnd(found: UInt64, expected: UInt64)
    /// The vault has seen another entry with the number `sequence`.
    case otherHistory(sequence: UInt64)
    /// A writer noted in this entry that the log was cut or damaged.
    case noted(sequence: UInt64)

    /// The finding, as the JSON output spells it.
    public var name: String {
        switch self {
        case .unreadableFile: "unreadableFile"
        case .damaged: "damaged"
        case .gap: "gap"
        case .missingStart: "missingStart"
        case .missingEnd: "missingEnd"
        case .otherHistory: "otherHistory"
        case .noted: "noted"
        }
    }
}

/// The reason why an entry could not be written to the audit log, or why the log could not be read.
///
/// An act that must be logged is not done after such an error.
public enum AuditError: Error, Equatable, Sendable, Codable {
    /// The vault was opened without a folder for the log, or read-only before a log existed.
    case noPlace
    /// Another user could read or change the file or folder at this path.
    case unsafePlace(path: String)
    /// Another program locked the log for ten seconds.
    case busy
    /// The disk has no room for another entry.
    case diskFull
    /// The key of the log in the vault is invalid.
    case badKey
    /// Another error of the system, with its number (errno).
    case failed(code: Int32)
}
