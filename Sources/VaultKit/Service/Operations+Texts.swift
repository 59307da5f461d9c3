extension Operations {
    /// The history of texts under a typed key.
    static var texts: [any AnyOperation] {
        [textHistory, setTextHistory, noteText, forgetTexts, clearTextHistory]
    }

    // Whoever has these strings can guess at their keys: so they are let out, not looked at.
    static let textHistory = Operation("text-history", .reveal) {
        (vault: isolated Vault) throws(VaultError) in try vault.textHistory()
    }
    static let setTextHistory = Operation("text-history.set", .change, decidesLater: false) {
        (vault: isolated Vault, isOn: Bool) throws(VaultError) in try vault.setTextHistory(isOn)
    }
    static let noteText = Operation("text-history.add", .change, decidesLater: false) {
        (vault: isolated Vault, entry: TextEntry) throws(VaultError) in try vault.noteText(entry)
    }
    static let forgetTexts = Operation("text-history.remove", .change, decidesLater: false) {
        (vault: isolated Vault, numbers: [UInt64]) throws(VaultError) in try vault.forgetTexts(numbers)
    }
    static let clearTextHistory = Operation("text-history.clear", .change, decidesLater: false) {
        (vault: isolated Vault) throws(VaultError) in try vault.clearTextHistory()
    }
}
