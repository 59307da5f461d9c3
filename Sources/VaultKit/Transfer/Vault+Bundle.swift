extension Vault {
    /// Takes an export of a vault into this one, all of it in one commit, and reads it back.
    ///
    /// What is here already stays as it is; a key or a host of the same identity is not stored twice.
    ///
    /// - Parameter isTrial: nothing is written; what would become of each is said.
    /// - Throws: what one part refuses: then nothing is taken.
    public func takeBundle(
        _ bundle: VaultBundle,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) throws(VaultError) -> VaultBundleOutcome {
        try transact(BundleTransaction.self, isTrial: isTrial) { (all) throws(VaultError) in
            try all.take(bundle, rules)
        }
    }
}
