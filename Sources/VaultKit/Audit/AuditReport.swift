/// The result of checking the whole audit log.
public struct AuditReport: Hashable, Sendable, Codable {
    /// The number of readable entries.
    public internal(set) var count: UInt64 = 0
    /// The number of the first entry; nil for an empty log.
    public internal(set) var first: UInt64?
    /// The number of the last entry.
    public internal(set) var last: UInt64?
    /// How many files there are.
    public internal(set) var files = 0
    /// The number of the last entry that the vault itself knows.
    public internal(set) var marked: UInt64 = 0
    /// The faults, in the order of the log.
    public internal(set) var findings: [AuditFinding] = []

    /// The report of a log that was never begun.
    package init() {}

    /// Whether the log has no fault.
    public var isWhole: Bool { findings.isEmpty }
}

/// Something that is wrong with the audit log.
public enum AuditFinding: Hashable, Sendable, Codable {
    /// A file cannot be read at all; its number.
    case unreadableFile(UInt32)
    /// After an entry, a file has bytes that are not an entry of this log: cut, changed or out of order.
    case damaged(file: UInt32, after: UInt64)
    /// Entries are missing: the one after `after` is `found`.
    case gap(after: UInt64, found: UInt64)
    /// The beginning is missing, though the log is too young to have let it go.
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

/// Why an entry could not be written to the audit log, or the log not be read.
///
/// An act that may only happen if it is logged does not happen then.
public enum AuditError: Error, Equatable, Sendable, Codable {
    /// The vault was opened without a place for a log, or for reading only and it has no log yet.
    case noPlace
    /// Another user could read or change the file or folder at this path.
    case unsafePlace(path: String)
    /// Another program held the log for ten seconds.
    case busy
    /// There is no room for another entry.
    case diskFull
    /// The log's key in the vault is not a key.
    case badKey
    /// Any other failure of the system, by its number (errno).
    case failed(code: Int32)
}
