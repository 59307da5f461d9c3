public import Credentials
internal import RecordStore

// Names are taken in any form of Unicode, and kept in form C.

extension Vault {
    /// The credentials that a query wants, by name, or the best for its address first; no value is opened.
    public func credentials(
        _ query: CredentialQuery = CredentialQuery()
    ) throws(VaultError) -> [CredentialSummary] {
        let survey = try reading { (reader) throws(VaultError) in
            var wanted = Attributes.none
            do throws(StoreError) {
                if let host = query.url?.host { wanted = try Attributes(["host": host]) }
            } catch {
                throw .store(error)
            }
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
        try reading { (reader) throws(VaultError) in try Self.value(reference, reader) }
    }

    /// Values as they were at one moment, in the order in which they are asked for.
    ///
    /// - Throws: `unresolved` with the place of the first that is not to be had, and why; `tooMuch` above 256.
    public func credentialValues(
        _ references: [CredentialReference]
    ) throws(VaultError) -> [CredentialValue] {
        guard references.count <= Self.maximumReferences else {
            throw .secret(.tooMuch(limit: Self.maximumReferences))
        }
        return try reading { (reader) throws(VaultError) in
            var values: [CredentialValue] = []
            for (place, reference) in references.enumerated() {
                do throws(VaultError) {
                    values.append(try Self.value(reference, reader))
                } catch {
                    guard case .secret(let reason) = error else { throw error }
                    throw .secret(.unresolved(index: place, reason))
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

    /// Makes a credential, or gives one that is there a new version and what else is to change about it.
    ///
    /// Where every value is what it was, there is no new version; where nothing changes, nothing is written. One in the
    /// trash gives its name up to a new one.
    ///
    /// - Throws: `badName`; `kindDiffers`; `noFields`; what the condition and the limits of `Credential` refuse.
    public func setCredential(
        _ name: String,
        _ change: CredentialChange
    ) throws(VaultError) -> CredentialOutcome {
        let name = NameRules.normalized(name)
        let (isNew, hasNewVersion) = try transact(CredentialTransaction.self) {
            (credentials) throws(VaultError) -> (Bool, Bool) in
            let before = try credentials.living(name)
            let after = try Self.caught { () throws(CredentialError) in
                try change.condition.check(before)
                return try change.applied(to: before, at: credentials.now)
            }
            guard before != nil else {
                try credentials.claim(name)
                try credentials.add(after.credential, named: name)
                return (true, true)
            }
            if after.isChanged { try credentials.replace(name, by: after.credential) }
            return (false, after.hasNewVersion)
        }
        let summary = try credential(name).summary
        return CredentialOutcome(summary: summary, isNew: isNew, hasNewVersion: hasNewVersion)
    }

    /// Puts a credential into the trash, which keeps it for 30 days.
    ///
    /// - Throws: `unknownName`; `inTrash`; what the condition refuses.
    public func removeCredential(
        _ name: String,
        _ condition: CredentialCondition = .any
    ) throws(VaultError) -> CredentialSummary {
        let name = NameRules.normalized(name)
        try transact(CredentialTransaction.self) { (credentials) throws(VaultError) in
            try credentials.remove(name) { (credential) throws(VaultError) in
                try Self.caught { () throws(CredentialError) in try condition.check(credential) }
            }
        }
        return try credential(name, inTrash: true).summary
    }

    /// Takes a credential out of the trash; one that is not in it stays as it is.
    ///
    /// - Throws: `unknownName`.
    public func restoreCredential(_ name: String) throws(VaultError) -> CredentialSummary {
        let name = NameRules.normalized(name)
        try transact(CredentialTransaction.self) { (credentials) throws(VaultError) in
            try credentials.restore(name)
        }
        return try credential(name).summary
    }

    /// Gives a credential another name.
    ///
    /// - Throws: `unknownName`; `inTrash`; `badName`; `nameTaken`.
    public func moveCredential(_ name: String, to other: String) throws(VaultError) -> CredentialSummary {
        let (name, other) = (NameRules.normalized(name), NameRules.normalized(other))
        try transact(CredentialTransaction.self) { (credentials) throws(VaultError) in
            let credential = try credentials.open(name)
            guard name != other else { return }
            try credentials.claim(other)
            try credentials.move(name, to: other, as: credential)
        }
        return try credential(other).summary
    }

    /// Takes credentials into the vault, all of them in one commit, and reads them back.
    ///
    /// - Parameters:
    ///   - batch: the credentials with the names that they would like.
    ///   - rules: what happens to one whose name is taken.
    ///   - isTrial: whether to say only what would become of each; nothing is written then.
    /// - Returns: what became of each, in the order of `batch`.
    /// - Throws: what one of them refuses: then none is taken.
    public func importCredentials(
        _ batch: CredentialBatch,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) throws(VaultError) -> [CredentialImportOutcome] {
        try transact(CredentialTransaction.self, isTrial: isTrial) { (credentials) throws(VaultError) in
            try credentials.take(batch, rules)
        }
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
        let (info, credential) = try reading { (reader) throws(VaultError) in
            try reader.opened(Credential.self, NameRules.normalized(name), inTrash: inTrash)
        }
        return (CredentialSummary(info), credential)
    }

    private static func value(
        _ reference: CredentialReference,
        _ reader: any RecordReader
    ) throws(VaultError) -> CredentialValue {
        let name = NameRules.normalized(reference.name)
        let credential = try reader.opened(Credential.self, name).content
        let number = reference.version ?? credential.current.number
        guard let version = credential.version(number) else { throw .secret(.unknownSecretVersion) }
        let field = reference.field ?? credential.kind.mainField
        guard let found = version[field] else { throw .secret(.unknownField) }
        return CredentialValue(
            reference: CredentialReference(name, field: found.name, version: number),
            kind: credential.kind,
            expires: credential.expires,
            value: found.value
        )
    }

    private static func caught<R>(_ act: () throws(CredentialError) -> R) throws(VaultError) -> R {
        do throws(CredentialError) {
            return try act()
        } catch {
            throw .secret(error)
        }
    }
}
