/// An entry of the audit log with its number.
public struct AuditRecord: Hashable, Sendable, Codable {
    /// The number; the first entry of a vault has 1.
    public let sequence: UInt64
    /// What it tells.
    public let entry: AuditEntry
}
