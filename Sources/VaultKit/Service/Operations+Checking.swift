internal import Credentials

extension Operations {
    /// What is said about secrets without letting them out, and about records that cannot be read.
    static var checking: [any AnyOperation] { [checkCredentials, damagedRecords] }

    static let damagedRecords = Operation("vault.damage", .look) {
        (vault: isolated Vault) throws(VaultError) in
        try vault.damagedRecords()
    }

    static let checkCredentials = Operation("secret.check", .use) {
        (vault: isolated Vault, names: [String]) throws(VaultError) in
        try vault.checkCredentials(named: names)
    }
}
