internal import Credentials

extension Operations {
    /// Passwords, tokens, notes and files.
    static var credentials: [any AnyOperation] {
        [
            listCredentials, credential, credentialValue, credentialValues, wholeCredential,
            exportCredentials, setCredential, removeCredential, restoreCredential, moveCredential,
            importCredentials, tryCredentials, oneTimeCode,
        ]
    }

    static let listCredentials = Operation("secrets", .look) {
        (vault: isolated Vault, start: CredentialPageStart) throws(VaultError) in
        try vault.credentialPage(start)
    }
    static let credential = Operation("secret", .look) {
        (vault: isolated Vault, name: String, inTrash: Bool) throws(VaultError) in
        try vault.credential(name, inTrash: inTrash)
    }
    static let credentialValue = Operation("secret.get", .reveal) {
        (vault: isolated Vault, reference: CredentialReference) throws(VaultError) -> CredentialValues in
        try packed([try vault.credentialValue(reference)])
    }
    static let credentialValues = Operation("secret.resolve", .reveal) {
        (vault: isolated Vault, references: [CredentialReference]) throws(VaultError) -> CredentialValues in
        try packed(try vault.credentialValues(references))
    }
    static let wholeCredential = Operation("secret.whole", .reveal) {
        (vault: isolated Vault, name: String, history: Bool) throws(VaultError) -> WholeCredential in
        let (summary, credential) = try vault.wholeCredential(name, history: history)
        do throws(CredentialError) {
            return WholeCredential(summary: summary, content: try SecretPack([try credential.content()]))
        } catch {
            throw .secret(error)
        }
    }
    static let exportCredentials = Operation("secret.export", .reveal) {
        (vault: isolated Vault, start: CredentialExportStart) throws(VaultError) in
        try vault.exportPage(start)
    }
    // A password by counter also raises the counter; that it lets something out is what counts.
    static let oneTimeCode = Operation("secret.code", .reveal) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.oneTimeCode(of: name)
    }
    static let setCredential = Operation("secret.set", .change, decidesLater: false) {
        (vault: isolated Vault, name: String, change: CredentialChange) throws(VaultError) in
        try vault.setCredential(name, change)
    }
    static let removeCredential = Operation("secret.remove", .change, decidesLater: false) {
        (vault: isolated Vault, name: String, condition: CredentialCondition) throws(VaultError) in
        try vault.removeCredential(name, condition)
    }
    static let restoreCredential = Operation("secret.restore", .change, decidesLater: false) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.restoreCredential(name)
    }
    static let moveCredential = Operation("secret.move", .change) {
        (vault: isolated Vault, name: String, other: String) throws(VaultError) in
        try vault.moveCredential(name, to: other)
    }
    static let importCredentials = Operation("secret.import", .change, decidesLater: false) {
        (vault: isolated Vault, batch: CredentialBatch, rules: CredentialImportRules) throws(VaultError) in
        try vault.importCredentials(batch, rules)
    }
    static let tryCredentials = Operation("secret.import-trial", .look) {
        (vault: isolated Vault, batch: CredentialBatch, rules: CredentialImportRules) throws(VaultError) in
        try vault.importCredentials(batch, rules, isTrial: true)
    }

    private static func packed(_ values: [CredentialValue]) throws(VaultError) -> CredentialValues {
        do throws(CredentialError) {
            return try CredentialValues(values)
        } catch {
            throw .secret(error)
        }
    }
}

/// A credential with all its values.
struct WholeCredential: Codable, Sendable {
    let summary: CredentialSummary
    /// Its content, in one or several pieces.
    let content: SecretPack
}
