public import VaultCrypto

/// What is to change about a credential, or what a new one is to be; nil leaves a thing as it is.
public struct CredentialChange: Sendable, Codable {
    /// When it expires.
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
    /// When it expires.
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

/// A credential after a change.
package struct ChangedCredential {
    package let credential: Credential
    /// A value is another one than before.
    package let hasNewVersion: Bool
    /// Something is.
    package let isChanged: Bool
}

extension CredentialChange {
    /// What a credential becomes; nil for one that is not there yet.
    ///
    /// - Throws: `CredentialError.kindDiffers`; `noFields`; what the parts refuse.
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

    /// Tags and end; whether they are others now.
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

    /// The fields of the next version; nil when they are those of the present one.
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
            // A value that stays is kept once for all its versions.
            guard !ConstantTime.equal(fields[place].value, field.value) else { continue }
            fields[place] = field
            isChanged = true
        }
        return isChanged ? fields : nil
    }
}

/// What has to be so for a change to happen; it is judged in the moment of the change.
public enum CredentialCondition: Sendable, Codable {
    /// Nothing.
    case any
    /// There is no credential of this name.
    case absent
    /// There is one.
    case present
    /// This version counts.
    case version(UInt32)
    /// A field, nil for the one that the kind means, has this value: so only who knows a password takes it away.
    case holds(field: String?, Secret)

    /// Whether it tells if a value is that of the vault.
    package var comparesValues: Bool { if case .holds = self { true } else { false } }

    /// Judges a credential; nil for none.
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
