public import VaultCrypto

/// A change of a credential, or the content of a new one; nil leaves a part as it is.
public struct CredentialChange: Sendable, Codable {
    /// The expiry to set.
    public enum Expiry: Sendable, Hashable, Codable {
        case never
        /// Unix seconds.
        case at(UInt64)
    }

    /// The kind: a new credential is a login if this is nil, and an existing credential must have this kind.
    public var kind: CredentialKind?
    /// Tags that replace all others.
    public var tags: [String]?
    /// Tags to add.
    public var addedTags: [String] = []
    /// Tags to remove.
    public var removedTags: [String] = []
    /// The expiry to set.
    public var expires: Expiry?
    /// Fields to remove; missing ones are ignored.
    public var dropped: [String] = []
    /// The condition for the change; if it fails, nothing changes.
    public var condition = CredentialCondition.any
    /// Names of the fields to write; nil for the main field of the kind.
    private var names: [String?] = []
    private var values = SecretPack()

    /// No change.
    public init() {}

    /// Writes a field, nil for the main field of the kind; other fields stay.
    ///
    /// - Throws: `CredentialError.badField`; `valueTooLong`; `tooManyFields`; `outOfMemory`.
    public mutating func put(_ value: Secret, in field: String? = nil) throws(CredentialError) {
        // Checks name and length before the value is stored.
        _ = try CredentialField(field ?? CredentialField.password, value)
        guard names.count < CredentialVersion.maximumFields else {
            throw .tooManyFields(limit: CredentialVersion.maximumFields)
        }
        try values.append(value)
        names.append(field)
    }

    /// Writes a text into a field.
    public mutating func put(_ text: String, in field: String) throws(CredentialError) {
        try put(try CredentialField(field, text: text).value, in: field)
    }

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

    /// The tags after the change.
    func tags(after tags: [String]) -> [String] {
        (self.tags ?? tags).filter { !removedTags.contains($0) } + addedTags
    }
}

/// A credential after a change.
package struct ChangedCredential {
    package let credential: Credential
    /// Whether a value differs from before.
    package let hasNewVersion: Bool
    /// Whether anything differs from before.
    package let isChanged: Bool
}

extension CredentialChange {
    /// Applies the change to a credential; nil for a new one.
    ///
    /// - Throws: `CredentialError.kindDiffers`; `noFields`; the errors of the parts.
    package func applied(to before: Credential?, at second: UInt64) throws(CredentialError)
        -> ChangedCredential
    {
        guard let before else {
            let kind = kind ?? .login
            var made = try Credential(kind, try fields(for: kind), at: second)
            _ = try change(&made)
            return ChangedCredential(credential: made, hasNewVersion: true, isChanged: true)
        }
        if let kind, kind != before.kind { throw .kindDiffers }
        var after = before
        let fields = try merged(try self.fields(for: before.kind), into: before.current.fields)
        if let fields { try after.add(fields, at: second) }
        let isOther = try change(&after)
        return ChangedCredential(
            credential: after,
            hasNewVersion: fields != nil,
            isChanged: fields != nil || isOther
        )
    }

    /// Changes tags and expiry; returns whether they differ now.
    private func change(_ credential: inout Credential) throws(CredentialError) -> Bool {
        let (tags, end) = (credential.tags, credential.expires)
        try credential.setTags(self.tags(after: tags))
        switch expires {
        case nil: break
        case .never: try credential.setExpires(nil)
        case .at(let moment): try credential.setExpires(moment)
        }
        return credential.tags != tags || credential.expires != end
    }

    /// The fields of the next version; nil if they equal the current fields.
    private func merged(
        _ new: [CredentialField],
        into old: [CredentialField]
    ) throws(CredentialError) -> [CredentialField]? {
        var fields = old.filter { !dropped.contains($0.name) }
        var isChanged = fields.count != old.count
        for field in new {
            guard let place = fields.firstIndex(where: { $0.name == field.name }) else {
                fields.append(field)
                isChanged = true
                continue
            }
            // An unchanged field keeps its value object, so that all versions share it.
            guard !ConstantTime.equal(fields[place].value, field.value) else { continue }
            fields[place] = field
            isChanged = true
        }
        return isChanged ? fields : nil
    }
}

/// The condition for a change, checked in the transaction of the change.
public enum CredentialCondition: Sendable, Codable {
    /// No condition.
    case any
    /// No credential has this name.
    case absent
    /// A credential has this name.
    case present
    /// The credential's current version has this number.
    case version(UInt32)
    /// A field, nil for the main field of the kind, has this value: so only a caller that knows a password can remove it.
    case holds(field: String?, Secret)

    /// Whether the condition reveals if a value equals the vault's.
    package var comparesValues: Bool { if case .holds = self { true } else { false } }

    /// Checks a credential; nil if there is none.
    ///
    /// - Throws: `nameTaken`; `unknownName`; `changedMeanwhile`.
    package func check(_ credential: Credential?) throws(CredentialError) {
        switch self {
        case .any: return
        case .absent: guard credential == nil else { throw .nameTaken }
        case .present: guard credential != nil else { throw .unknownName }
        case .version(let number):
            guard let credential else { throw .unknownName }
            guard credential.current.number == number else { throw .changedMeanwhile }
        case .holds(let field, let value):
            guard let credential else { throw .unknownName }
            guard let found = credential.current[field ?? credential.kind.mainField],
                ConstantTime.equal(found.value, value)
            else { throw .changedMeanwhile }
        }
    }
}
