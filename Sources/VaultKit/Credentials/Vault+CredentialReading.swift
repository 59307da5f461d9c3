internal import RecordStore
public import Secrets

extension Vault {
    /// Lists the credentials that match a query: by name, or the best match for an address first; opens no value.
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

    /// Returns everything about a credential except its values; a credential in the trash only with `inTrash`.
    ///
    /// - Throws: `unknownName`; `inTrash`.
    public func credential(_ name: String, inTrash: Bool = false) throws(VaultError) -> CredentialDetails {
        let (summary, credential) = try opened(name, inTrash: inTrash)
        return CredentialDetails(summary, credential)
    }

    /// Reads one value; only the record of the credential is read.
    ///
    /// - Throws: `unknownName`; `inTrash`; `unknownSecretVersion`; `unknownField`.
    public func credentialValue(_ reference: CredentialReference) throws(VaultError) -> CredentialValue {
        try reading { reader in try Self.value(reference, reader) }
    }

    /// Reads values as they were at one moment, in the order of the references.
    ///
    /// - Throws: `unresolved` with the index of the first reference that fails, and the reason, such as `nameMeansOther`;
    ///   `tooMuch` above 256 references.
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
                    // Nobody sees a warning here, so another secret must never be returned under the old name.
                    values.append(try Self.value(reference, reader).settled())
                } catch {
                    guard case .secret(let reason) = VaultError(error) else { throw error }
                    throw CredentialError.unresolved(index: place, reason)
                }
            }
            return values
        }
    }

    /// Reads a credential with all its values.
    ///
    /// - Parameters:
    ///   - name: the credential; a credential in the trash is refused.
    ///   - history: whether to include earlier versions.
    /// - Returns: the summary of the credential, and its content.
    /// - Throws: `unknownName`; `inTrash`.
    public func wholeCredential(
        _ name: String,
        history: Bool = true
    ) throws(VaultError) -> (summary: CredentialSummary, credential: Credential) {
        let (summary, credential) = try opened(name)
        return (summary, history ? credential : credential.alone())
    }

    /// The most references in one call.
    public static let maximumReferences = 256

    /// Returns a page of a list: as many summaries as fit through an agent's socket.
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
