public import Secrets
internal import VaultPolicy

extension Operations {
    /// The operations that change passwords, tokens, notes and files.
    static var secretChangeOperations: [any AnyOperation] {
        [
            setCredential, removeCredential, restoreCredential, moveCredential, importCredentials,
            tryCredentials,
        ]
    }

    /// Makes a credential, or changes one; new values become a new version.
    public static let setCredential = Operation(
        "secret.set",
        .comparison("find out whether it knows the secret %1"),
        when: { _, change in change.condition.comparesValues },
        otherwise: .change,
        subjects: { name, _ in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String, change: CredentialChange) in
        try vault.setCredential(name, change)
    }
    /// Moves a credential to the trash.
    public static let removeCredential = Operation(
        "secret.remove",
        .comparison("find out whether it knows the secret %1"),
        when: { _, condition in condition.comparesValues },
        otherwise: .change,
        subjects: { name, _ in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String, condition: CredentialCondition) in
        try vault.removeCredential(name, condition)
    }
    /// Restores a credential from the trash.
    public static let restoreCredential = Operation(
        "secret.restore",
        .change,
        subjects: { name in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String) in
        try vault.restoreCredential(name)
    }
    /// Renames a credential.
    public static let moveCredential = Operation(
        "secret.move",
        .decidesLater("rename the secret %1 to %2"),
        subjects: { name, other in .named(name, other) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String, other: String) in
        try vault.moveCredential(name, to: other)
    }
    static let importCredentials = Operation(
        "secret.import",
        .comparisonOfAll("find out which secrets of the vault it knows"),
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, batch: CredentialBatch, rules: CredentialImportRules)
        in
        try vault.importCredentials(batch, rules)
    }
    static let tryCredentials = Operation(
        "secret.import-trial",
        .comparisonOfAll("find out which secrets of the vault it knows"),
        audit: nil
    ) {
        (vault: isolated Vault, _: Caller, batch: CredentialBatch, rules: CredentialImportRules)
        in
        try vault.importCredentials(batch, rules, isTrial: true)
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Imports credentials into the vault, all of them in one commit.
    public func importCredentials(
        _ batch: CredentialBatch,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) async throws -> [CredentialImportOutcome] {
        // A trial writes nothing, so it is an operation of its own.
        try await self(isTrial ? Operations.tryCredentials : Operations.importCredentials, batch, rules)
    }
}
