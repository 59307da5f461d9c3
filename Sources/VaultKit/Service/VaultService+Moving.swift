// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Takes an export of a vault into this one, all of it in one commit.
    public func takeBundle(
        _ bundle: VaultBundle,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) async throws -> VaultBundleOutcome {
        // A trial writes nothing: it is an operation of its own.
        try await perform(isTrial ? Operations.tryBundle : Operations.takeBundle, bundle, rules)
    }
}
