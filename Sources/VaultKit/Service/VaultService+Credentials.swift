public import Credentials

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// The credentials that a query wants, by name, or the best for its address first.
    public func credentials(
        _ query: CredentialQuery = CredentialQuery()
    ) async throws -> [CredentialSummary] {
        var list: [CredentialSummary] = []
        var after: String?
        repeat {
            let start = CredentialPageStart(query: query, after: after)
            let page = try await perform(Operations.listCredentials, start)
            list += page.summaries
            after = page.next
        } while after != nil
        return list
    }

    /// Everything about a credential but its values.
    public func credential(_ name: String, inTrash: Bool = false) async throws -> CredentialDetails {
        try await perform(Operations.credential, name, inTrash)
    }

    /// One value.
    public func credentialValue(_ reference: CredentialReference) async throws -> CredentialValue {
        let values = try await perform(Operations.credentialValue, reference).all()
        guard let value = values.first else { throw VaultError.malformedCall }
        return value
    }

    /// Values as they were at one moment, in the order in which they are asked for.
    public func credentialValues(_ references: [CredentialReference]) async throws -> [CredentialValue] {
        guard !references.isEmpty else { return [] }
        let values = try await perform(Operations.credentialValues, references).all()
        guard values.count == references.count else { throw VaultError.malformedCall }
        return values
    }

    /// The one-time password of this moment, or the next one by counter.
    public func oneTimeCode(of name: String) async throws -> OneTimeCode {
        try await perform(Operations.oneTimeCode, name)
    }

    /// A credential with all its values.
    public func wholeCredential(
        _ name: String,
        history: Bool = true
    ) async throws -> (summary: CredentialSummary, credential: Credential) {
        let whole = try await perform(Operations.wholeCredential, name, history)
        guard let content = try whole.content.secrets().first else { throw VaultError.malformedCall }
        return (whole.summary, try Credential(content: content))
    }

    /// All credentials with their values, by name.
    ///
    /// - Parameters:
    ///   - history: whether the versions before the present ones come along.
    ///   - inTrash: whether those in the trash do.
    public func exportCredentials(history: Bool = true, inTrash: Bool = false) async throws -> CredentialBatch
    {
        var batch = CredentialBatch()
        var after: String?
        repeat {
            let start = CredentialExportStart(history: history, inTrash: inTrash, after: after)
            let page = try await perform(Operations.exportCredentials, start)
            for item in try page.batch.items() { try batch.append(item) }
            after = page.next
        } while after != nil
        return batch
    }

    /// Makes a credential, or gives one that is there a new version and what else is to change about it.
    @discardableResult
    public func setCredential(_ name: String, _ change: CredentialChange) async throws -> CredentialOutcome {
        try await perform(Operations.setCredential, name, change)
    }

    /// Puts a credential into the trash.
    @discardableResult
    public func removeCredential(
        _ name: String,
        _ condition: CredentialCondition = .any
    ) async throws -> CredentialSummary {
        try await perform(Operations.removeCredential, name, condition)
    }

    /// Takes a credential out of the trash.
    @discardableResult
    public func restoreCredential(_ name: String) async throws -> CredentialSummary {
        try await perform(Operations.restoreCredential, name)
    }

    /// Gives a credential another name.
    @discardableResult
    public func moveCredential(_ name: String, to other: String) async throws -> CredentialSummary {
        try await perform(Operations.moveCredential, name, other)
    }

    /// Takes credentials into the vault, all of them in one commit.
    public func importCredentials(
        _ batch: CredentialBatch,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) async throws -> [CredentialImportOutcome] {
        // A trial writes nothing: it is an operation of its own.
        try await perform(isTrial ? Operations.tryCredentials : Operations.importCredentials, batch, rules)
    }
}
