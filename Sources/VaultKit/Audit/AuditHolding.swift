/// What a vault has of its audit log.
struct AuditHolding: Sendable {
    /// Where the files lie; nil for a vault that is to have no log.
    let folder: String?
    /// The log, once somebody had to write to it.
    var log: AuditLog?
}
