public import Credentials
public import VaultCrypto

/// What is to change about a credential, or what a new one is to be; nil leaves a thing as it is.
public struct CredentialChange: Sendable, Codable {
    /// When it ceases to be of use.
    public enum Expiry: Sendable, Hashable, Codable {
        case never
        /// Unix seconds.
        case at(UInt64)
    }

    /// What it is; a new one is a login unless this says otherwise, one that is there has to be of this kind.
    public var kind: CredentialKind?
    /// Its tags, all of them.
    public var tags: [String]?
    /// Tags to add.
    public var addedTags: [String] = []
    /// Tags to take away.
    public var removedTags: [String] = []
    /// When it ceases to be of use.
    public var expires: Expiry?
    /// Fields to drop; one that is not there is not missed.
    public var dropped: [String] = []
    /// What has to be so, or nothing is done.
    public var condition = CredentialCondition.any
    /// Names of the fields to write; nil for the one that the kind means.
    private var names: [String?] = []
    private var values = SecretPack()

    /// No change.
    public init() {}

    /// Writes a field, nil for the one that the kind means; the others stay.
    ///
    /// - Throws: `CredentialError.badField`; `valueTooLong`; `tooManyFields`; `outOfMemory`.
    public mutating func put(_ value: Secret, in field: String? = nil) throws(CredentialError) {
        // A look at name and length, before anything is carried anywhere.
        _ = try CredentialField(field ?? CredentialField.password, value)
        guard names.count < CredentialVersion.maximumFields else {
            throw .tooManyFields(limit: CredentialVersion.maximumFields)
        }
        try values.append(value)
        names.append(field)
    }

    /// Writes a field with a text.
    public mutating func put(_ text: String, in field: String) throws(CredentialError) {
        try put(try CredentialField(field, text: text).value, in: field)
    }

    /// Whether any field is written or dropped.
    public var touchesFields: Bool { !names.isEmpty || !dropped.isEmpty }

    /// The fields to write.
    func fields(for kind: CredentialKind) throws(CredentialError) -> [CredentialField] {
        let values = try values.secrets()
        guard values.count == names.count else { throw .malformed }
        var fields: [CredentialField] = []
        for (name, value) in zip(names, values) {
            fields.append(try CredentialField(name ?? kind.mainField, value))
        }
        return fields
    }

    /// The tags that are left of some.
    func tags(after tags: [String]) -> [String] {
        (self.tags ?? tags).filter { !removedTags.contains($0) } + addedTags
    }
}
