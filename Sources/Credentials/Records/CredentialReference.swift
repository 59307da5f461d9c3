/// One value of one credential: its name, the field, and the version.
public struct CredentialReference: Hashable, Sendable, Codable {
    /// The name of the credential.
    public var name: String
    /// The field; nil for the one that its kind means.
    public var field: String?
    /// The number of the version; nil for the one that counts.
    public var version: UInt32?

    /// A reference.
    public init(_ name: String, field: String? = nil, version: UInt32? = nil) {
        self.name = name
        self.field = field
        self.version = version
    }
}

extension CredentialReference {
    /// What a written reference means: the version that counts.
    public init(_ reference: Reference) {
        self.init(reference.name, field: reference.field)
    }
}
