internal import Credentials

extension Operations {
    /// Exports of vaults.
    static var moving: [any AnyOperation] { [exportPart, takeBundle, tryBundle] }

    static let exportPart = Operation("vault.export", .reveal) {
        (vault: isolated Vault, start: VaultExportStart) throws(VaultError) in
        try vault.exportPart(start)
    }

    static let takeBundle = Operation("vault.import", .trust) {
        (vault: isolated Vault, bundle: VaultBundle, rules: CredentialImportRules) throws(VaultError) in
        try vault.takeBundle(bundle, rules)
    }
    static let tryBundle = Operation("vault.import-trial", .look) {
        (vault: isolated Vault, bundle: VaultBundle, rules: CredentialImportRules) throws(VaultError) in
        try vault.takeBundle(bundle, rules, isTrial: true)
    }
}
