internal import Audit
public import TextCipher
internal import VaultPolicy

extension Operations {
    /// The history of texts under a typed key.
    static var textOperations: [any AnyOperation] {
        [
            textHistory, setTextHistory, noteText, forgetTexts, clearTextHistory,
        ]
    }

    // Anyone who has these strings can guess at their keys: so they are let out, not looked at.
    /// The history of texts under a typed key.
    public static let textHistory = Operation(
        "text-history",
        .values("read the history of texts encrypted with typed keys"),
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller) throws(VaultError) in try vault.textHistory()
    }
    /// Switches the history on or off.
    public static let setTextHistory = Operation(
        "text-history.set",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, isOn: Bool) throws(VaultError) in try vault.setTextHistory(isOn)
    }
    /// Remembers a text, if the history is on.
    public static let noteText = Operation(
        "text-history.add",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, entry: TextEntry) throws(VaultError) in try vault.noteText(entry)
    }
    /// Forgets entries by their numbers, all of them or none.
    public static let forgetTexts = Operation(
        "text-history.remove",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, numbers: [UInt64]) throws(VaultError) in
        try vault.forgetTexts(numbers)
    }
    /// Forgets every entry.
    public static let clearTextHistory = Operation(
        "text-history.clear",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller) throws(VaultError) in try vault.clearTextHistory()
    }
}
