internal import RecordStore
public import Secrets

extension Vault {
    /// The credentials that a query wants, by name, or the best for its address first; no value is opened.
    public func credentials(
        _ query: CredentialQuery = CredentialQuery()
    ) throws(VaultError) -> [CredentialSummary] {
        let survey = try reading { reader in
            var wanted = Attributes.none
            if let host = query.url?.host { wanted = try Attributes(["host": host]) }
            return try reader.survey(Credential.self, where: wanted)
        }
        let found = survey.records.map { CredentialSummary($0) }.filter(query.covers)
        guard query.url != nil else { return found }
        return found.sorted {
            let (left, right) = (query.score($0) ?? 0, query.score($1) ?? 0)
            return left == right ? ($1.changed, $0.name) < ($0.changed, $1.name) : left > right
        }
    }

    /// Everything about a credential but its values, the trash included where that is wanted.
    ///
    /// - Throws: `unknownName`; `inTrash`.
    public func credential(_ name: String, inTrash: Bool = false) throws(VaultError) -> CredentialDetails {
        let (summary, credential) = try opened(name, inTrash: inTrash)
        return CredentialDetails(summary, credential)
    }

    /// One value: one record is read for it, however many there are.
    ///
    /// - Throws: `unknownName`; `inTrash`; `unknownSecretVersion`; `unknownField`.
    public func credentialValue(_ reference: CredentialReference) throws(VaultError) -> CredentialValue {
        try reading { reader in try Self.value(reference, reader) }
    }

    /// Values as they were at one moment, in the order in which they are asked for.
    ///
    /// - Throws: `unresolved` with the place of the first that is not to be had, and why, such as `nameMeansOther`; `tooMuch` above 256.
    public func credentialValues(
        _ references: [CredentialReference]
    ) throws(VaultError) -> [CredentialValue] {
        guard references.count <= Self.maximumReferences else {
            throw .secret(.tooMuch(limit: Self.maximumReferences))
        }
        return try reading { reader in
            var values: [CredentialValue] = []
            for (place, reference) in references.enumerated() {
                do {
                    // Nobody sees a warning there, so another secret never gets in under the old name.
                    values.append(try Self.value(reference, reader).settled())
                } catch {
                    guard case .secret(let reason) = VaultError(error) else { throw error }
                    throw CredentialError.unresolved(index: place, reason)
                }
            }
            return values
        }
    }

    /// A credential with all its values.
    ///
    /// - Parameters:
    ///   - name: the credential; one in the trash is refused.
    ///   - history: whether the versions before the present one come along.
    /// - Returns: what lists show of it, and its content.
    /// - Throws: `unknownName`; `inTrash`.
    public func wholeCredential(
        _ name: String,
        history: Bool = true
    ) throws(VaultError) -> (summary: CredentialSummary, credential: Credential) {
        let (summary, credential) = try opened(name)
        return (summary, history ? credential : credential.alone())
    }

    /// References that one call may name.
    public static let maximumReferences = 256

    /// A part of a list: as many as fit through an agent's socket.
    func credentialPage(_ start: CredentialPageStart) throws(VaultError) -> CredentialPage {
        var list = try credentials(start.query)[...]
        if let after = start.after, let place = list.firstIndex(where: { $0.name == after }) {
            list = list[(place + 1)...]
        }
        var size = 0
        let page = list.prefix { summary in
            size += 160 + summary.name.utf8.count + (summary.user?.utf8.count ?? 0)
            size += (summary.url?.utf8.count ?? 0) + summary.tags.reduce(0) { $0 + $1.utf8.count + 4 }
            return size <= CredentialPage.longest
        }
        return CredentialPage(summaries: Array(page), next: page.count < list.count ? page.last?.name : nil)
    }

    private func opened(
        _ name: String,
        inTrash: Bool = false
    ) throws(VaultError) -> (summary: CredentialSummary, credential: Credential) {
        let (info, credential) = try reading { reader in
            try reader.opened(Credential.self, NameRules.normalized(name), inTrash: inTrash)
        }
        return (CredentialSummary(info), credential)
    }

    private static func value(_ reference: CredentialReference, _ reader: any RecordReader) throws
        -> CredentialValue
    {
        let name = NameRules.normalized(reference.name)
        let credential = try reader.opened(Credential.self, name).content
        let number = reference.version ?? credential.current.number
        guard let version = credential.version(number) else { throw CredentialError.unknownSecretVersion }
        let field = reference.field ?? credential.kind.mainField
        guard let found = version[field] else { throw CredentialError.unknownField }
        return CredentialValue(
            reference: CredentialReference(name, field: found.name, version: number),
            kind: credential.kind,
            expires: credential.expires,
            renamedAt: try StoredLog.renamedAt(name, reader),
            value: found.value
        )
    }
}
