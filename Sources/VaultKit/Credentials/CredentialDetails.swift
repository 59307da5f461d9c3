internal import Credentials

/// Everything about a credential but its values.
public struct CredentialDetails: Sendable, Hashable, Codable {
    /// A version and the names of its fields.
    public struct Version: Sendable, Hashable, Codable {
        /// Its number.
        public let number: UInt32
        /// When it was made, Unix seconds.
        public let created: UInt64
        /// The names of its fields, in their order.
        public let fields: [String]
    }

    /// What lists show of it.
    public let summary: CredentialSummary
    /// Where it was brought from, in words.
    public let origin: String?
    /// The versions that are kept, the newest last.
    public let versions: [Version]

    init(_ summary: CredentialSummary, _ credential: Credential) {
        self.summary = summary
        origin = credential.origin
        versions = credential.versions.map {
            Version(number: $0.number, created: $0.created, fields: $0.fields.map(\.name))
        }
    }

    /// The names of the fields of the version that counts.
    public var fields: [String] { versions.last?.fields ?? [] }
}
