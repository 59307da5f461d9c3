public import RecordStore
public import Secrets
internal import VaultPolicy

extension Operations {
    /// Passwords, tokens, notes and files, and what is said about them.
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
    /// Everything about a credential but its values.
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
    // A password by counter also raises the counter; that it lets something out is what counts.
    /// The one-time password of this moment, or the next one by counter.
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
    /// Looks for passwords that are weak, used twice, old or expired.
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
    /// The records that a list is short of, because they cannot be read.
    public static let damagedRecords = Operation.look("vault.damage") {
        (vault: isolated Vault, _: Caller) in
        try vault.damagedRecords()
    }

    private static func packed(_ values: [CredentialValue]) throws -> PackedSecrets<CredentialValue.Head> {
        try PackedSecrets(values.map(\.head), values.map(\.value))
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// This vault, for a caller that needs complete lists and cannot handle damaged records.
    ///
    /// - Throws: `tampered` if a record is unreadable.
    public func whole() async throws -> Self {
        if let record = try await self(Operations.damagedRecords).first {
            throw StoreError.tampered(record.tampered)
        }
        return self
    }

    /// The credentials that a query wants, by name, or the best for its address first.
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

    /// One value.
    public func credentialValue(_ reference: CredentialReference) async throws -> CredentialValue {
        let values = try await self(Operations.credentialValue, reference).all()
        guard let value = values.first else { throw VaultError.malformedCall }
        return CredentialValue(value.head, value.secret)
    }

    /// Values as they were at one moment, in the order in which they are asked for.
    public func credentialValues(_ references: [CredentialReference]) async throws -> [CredentialValue] {
        guard !references.isEmpty else { return [] }
        let values = try await self(Operations.credentialValues, references).all()
        guard values.count == references.count else { throw VaultError.malformedCall }
        return values.map { CredentialValue($0.head, $0.secret) }
    }

    /// A credential with all its values.
    public func wholeCredential(
        _ name: String,
        history: Bool = true
    ) async throws -> (summary: CredentialSummary, credential: Credential) {
        let whole = try await self(Operations.wholeCredential, name, history)
        guard let content = try whole.content.secrets().first else { throw VaultError.malformedCall }
        return (whole.summary, try Credential(content: content))
    }

    /// All credentials with their values, by name.
    ///
    /// - Parameters:
    ///   - history: whether the versions before the present ones come along.
    ///   - inTrash: whether those in the trash do.
    /// - Returns: the credentials of all pages that the vault gives out one after the other.
    /// - Throws: what the vault refuses, of any page.
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
    /// Its content, in one or several pieces.
    let content: SecretPack
}
