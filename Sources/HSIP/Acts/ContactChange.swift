/// Fields of a contact to change; nil leaves a field as it is.
public struct ContactChange: Sendable {
    public var alias: String?
    public var note: String?
    public var requiresVerification: Bool?

    /// Nothing to change.
    public init(alias: String? = nil, note: String? = nil, requiresVerification: Bool? = nil) {
        self.alias = alias
        self.note = note
        self.requiresVerification = requiresVerification
    }
}
