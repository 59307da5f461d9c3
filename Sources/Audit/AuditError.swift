/// Why an entry could not be written to the audit log, or the log not be read.
///
/// What may only happen when it is written down does not happen then.
public enum AuditError: Error, Equatable, Sendable, Codable {
    /// The vault was opened without a place for a log, or for reading only and it has no log yet.
    case noPlace
    /// Another user could read or change what lies at this path.
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
