/// How a thing that the audit log tells came out.
public enum AuditVerdict: UInt8, Sendable, CaseIterable, Codable {
    /// It was allowed, and about to be done when the entry was written.
    case allowed = 1
    /// The policy, or the person, refused it.
    case refused = 2
    /// It was allowed and then failed.
    case failed = 3

    /// The verdict, as the command line and the JSON output spell it.
    public var word: String {
        switch self {
        case .allowed: "allowed"
        case .refused: "refused"
        case .failed: "failed"
        }
    }
}
