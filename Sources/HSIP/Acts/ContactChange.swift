/// Fields of a contact to change; nil leaves a field as it is.
public struct ContactChange: Sendable, Codable {
    /// The name I use.
    public var alias: String?
    /// My own note.
    public var note: String?
    /// Refuse to send until verified.
    public var requiresVerification: Bool?

    /// Nothing to change.
    public init(alias: String? = nil, note: String? = nil, requiresVerification: Bool? = nil) {
        self.alias = alias
        self.note = note
        self.requiresVerification = requiresVerification
    }
}
