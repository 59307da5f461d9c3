internal import Credentials

extension Operations {
    /// What is said about secrets without letting them out.
    static var checking: [any AnyOperation] { [checkCredentials] }

    static let checkCredentials = Operation("secret.check", .use) {
        (vault: isolated Vault, names: [String]) throws(VaultError) in
        try vault.checkCredentials(named: names)
    }
}
