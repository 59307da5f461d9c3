internal import VaultCrypto

/// The fields of a credential as they were from one moment on.
public struct CredentialVersion: Sendable {
    /// Fields that one version may have.
    public static let maximumFields = 64
    /// Bytes in all values of one version, 1.5 MiB: ten versions fit into one record then, whatever they hold.
    public static let longest = 3 << 19

    /// Its number: 1 for the first of the credential, each later one the next, none used twice.
    public let number: UInt32
    /// When it was made, Unix seconds.
    public let created: UInt64
    /// The fields, each name once, in the order in which they came.
    public let fields: [CredentialField]

    /// A version.
    ///
    /// - Throws: `CredentialError.noFields`; `tooManyFields`; `badField` for a name that comes twice; `versionTooLong`;
    ///   `badTime`.
    public init(number: UInt32, created: UInt64, fields: [CredentialField]) throws(CredentialError) {
        guard !fields.isEmpty else { throw .noFields }
        guard fields.count <= Self.maximumFields else { throw .tooManyFields(limit: Self.maximumFields) }
        guard Set(fields.map(\.name)).count == fields.count else { throw .badField }
        guard fields.reduce(0, { $0 + $1.value.count }) <= Self.longest else {
            throw .versionTooLong(limit: Self.longest)
        }
        guard number > 0 else { throw .malformed }
        guard created <= Credential.latestTime else { throw .badTime }
        self.number = number
        self.created = created
        self.fields = fields
    }

    /// The field of a name; nil when there is none.
    public subscript(name: String) -> CredentialField? { fields.first { $0.name == name } }
}
