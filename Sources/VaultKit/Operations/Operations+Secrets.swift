public import RecordStore
public import Secrets
internal import VaultPolicy

extension Operations {
    /// The operations that read passwords, tokens, notes and files, and the facts about them.
    static var secretOperations: [any AnyOperation] {
        [
            listCredentials, credential, credentialValue, credentialValues, oneTimeCode, wholeCredential,
            exportCredentials, checkCredentials, damagedRecords,
        ]
    }

    static let listCredentials = Operation.look("secrets") {
        (vault: isolated Vault, _: Caller, start: CredentialPageStart) in
        try vault.credentialPage(start)
    }
    /// Returns everything about a credential except its values.
    public static let credential = Operation.look("secret") {
        (vault: isolated Vault, _: Caller, name: String, listing: Listing) in
        try vault.credential(name, inTrash: listing == .trash)
    }
    static let credentialValue = Operation(
        "secret.get",
        .values("read the secret %1"),
        subjects: { reference in .named(reference.name) },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, reference: CredentialReference)
            -> PackedSecrets<CredentialValue.Head> in
        try packed([try vault.credentialValue(reference)])
    }
    static let credentialValues = Operation(
        "secret.resolve",
        .values("read the secret %1"),
        subjects: { references in .named(references.map(\.name)) },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, references: [CredentialReference])
            -> PackedSecrets<CredentialValue.Head> in
        try packed(try vault.credentialValues(references))
    }
    // A counter-based password also raises the counter, but the operation counts as a read, because it returns a value.
    /// Returns the present one-time password, or the next one of a counter-based key.
    public static let oneTimeCode = Operation(
        "secret.code",
        .values("read the secret %1"),
        subjects: { name in .named(name) },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.oneTimeCode(of: name)
    }
    static let wholeCredential = Operation(
        "secret.whole",
        .values("read the secret %1"),
        subjects: { name, _ in .named(name) },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, name: String, history: Bool) -> WholeCredential
        in
        let (summary, credential) = try vault.wholeCredential(name, history: history)
        return WholeCredential(summary: summary, content: try SecretPack([try credential.content()]))
    }
    static let exportCredentials = Operation(
        "secret.export",
        .everything("read all passwords, tokens, notes and files of the vault"),
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, start: CredentialExportStart) in
        try vault.exportPage(start)
    }
    /// Finds passwords that are weak, reused, old or expired.
    public static let checkCredentials = Operation(
        "secret.check",
        .both(
            .use(ApprovalQuestion("check the secret %1", nameless: "check the secrets of the vault")),
            .comparisonOfAll("find out which passwords of the vault are weak or reused")
        ),
        subjects: { names in .named(names) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, names: [String]) in
        try vault.checkCredentials(named: names)
    }
    /// Lists the unreadable records, which are missing from other lists.
    public static let damagedRecords = Operation.look("vault.damage") {
        (vault: isolated Vault, _: Caller) in
        try vault.damagedRecords()
    }

    private static func packed(_ values: [CredentialValue]) throws -> PackedSecrets<CredentialValue.Head> {
        try PackedSecrets(values.map(\.head), values.map(\.value))
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Returns this vault, for a caller that needs complete lists and cannot handle damaged records.
    ///
    /// - Throws: `tampered` if a record is unreadable.
    public func whole() async throws -> Self {
        if let record = try await self(Operations.damagedRecords).first {
            throw StoreError.tampered(record.tampered)
        }
        return self
    }

    /// Lists the credentials that match a query: by name, or the best match for an address first.
    public func credentials(
        _ query: CredentialQuery = CredentialQuery()
    ) async throws -> [CredentialSummary] {
        var list: [CredentialSummary] = []
        var after: String?
        repeat {
            let start = CredentialPageStart(query: query, after: after)
            let page = try await self(Operations.listCredentials, start)
            list += page.summaries
            after = page.next
        } while after != nil
        return list
    }

    /// Reads one value.
    public func credentialValue(_ reference: CredentialReference) async throws -> CredentialValue {
        let values = try await self(Operations.credentialValue, reference).all()
        guard let value = values.first else { throw VaultError.malformedCall }
        return CredentialValue(value.head, value.secret)
    }

    /// Reads values as they were at one moment, in the order of the references.
    public func credentialValues(_ references: [CredentialReference]) async throws -> [CredentialValue] {
        guard !references.isEmpty else { return [] }
        let values = try await self(Operations.credentialValues, references).all()
        guard values.count == references.count else { throw VaultError.malformedCall }
        return values.map { CredentialValue($0.head, $0.secret) }
    }

    /// Reads a credential with all its values.
    public func wholeCredential(
        _ name: String,
        history: Bool = true
    ) async throws -> (summary: CredentialSummary, credential: Credential) {
        let whole = try await self(Operations.wholeCredential, name, history)
        guard let content = try whole.content.secrets().first else { throw VaultError.malformedCall }
        return (whole.summary, try Credential(content: content))
    }

    /// Reads all credentials with their values, by name.
    ///
    /// - Parameters:
    ///   - history: whether to include earlier versions.
    ///   - inTrash: whether to include credentials in the trash.
    /// - Returns: the credentials from all pages of the vault.
    /// - Throws: the errors of the vault for any page.
    public func exportCredentials(history: Bool = true, inTrash: Bool = false) async throws -> CredentialBatch
    {
        var batch = CredentialBatch()
        var after: String?
        repeat {
            let start = CredentialExportStart(history: history, inTrash: inTrash, after: after)
            let page = try await self(Operations.exportCredentials, start)
            for item in try page.batch.items() { try batch.append(item) }
            after = page.next
        } while after != nil
        return batch
    }
}

/// A credential with all its values.
struct WholeCredential: Codable, Sendable {
    let summary: CredentialSummary
    /// The content of the credential, in one or several pieces.
    let content: SecretPack
}
