/// What is to change about a key; nil leaves a thing as it is.
public struct KeyChange: Sendable, Codable {
    /// Its name in the vault.
    public var name: String?
    /// Its comment.
    public var comment: [UInt8]?
    /// Whether its owner is asked before each use.
    public var needsConfirmation: Bool?
    /// Seconds for which an agent keeps it; 0 for no limit.
    public var lifetime: UInt32?
    /// The hosts it is for; empty for any.
    public var hosts: [String]?
    /// The namespaces under which it signs; empty for none.
    public var namespaces: [String]?
    /// Whether certificates that are past their time are removed.
    public var dropsExpired = false

    /// No change.
    public init() {}

    /// Puts the change into effect.
    package func apply(to record: inout KeyRecord, at second: UInt64) {
        if let comment { record.key.comment = comment }
        if let needsConfirmation { record.use.needsConfirmation = needsConfirmation }
        if let lifetime { record.use.lifetime = lifetime }
        if let hosts { record.use.hosts = hosts }
        if let namespaces { record.use.namespaces = namespaces }
        if dropsExpired { record.dropCertificates(pastAt: second) }
    }
}
