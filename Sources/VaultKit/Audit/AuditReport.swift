/// What a check of the whole audit log found.
public struct AuditReport: Hashable, Sendable, Codable {
    /// How many entries could be read.
    public internal(set) var count: UInt64 = 0
    /// The number of the first one; nil for an empty log.
    public internal(set) var first: UInt64?
    /// The number of the last one.
    public internal(set) var last: UInt64?
    /// How many files there are.
    public internal(set) var files = 0
    /// Up to where the vault itself knows the log.
    public internal(set) var marked: UInt64 = 0
    /// What is wrong, in the order of the log.
    public internal(set) var findings: [AuditFinding] = []

    /// Nothing is wrong.
    public var isWhole: Bool { findings.isEmpty }
}
