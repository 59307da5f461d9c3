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
    static let textHistory = Operation(
        "text-history",
        .values("read the history of texts encrypted with typed keys"),
        subjects: { .none },
        audit: .read
    ) {
        (vault: isolated Vault) throws(VaultError) in try vault.textHistory()
    }
    static let setTextHistory = Operation(
        "text-history.set",
        .change,
        subjects: { _ in .none },
        audit: .change
    ) {
        (vault: isolated Vault, isOn: Bool) throws(VaultError) in try vault.setTextHistory(isOn)
    }
    static let noteText = Operation(
        "text-history.add",
        .change,
        subjects: { _ in .none },
        audit: .change
    ) {
        (vault: isolated Vault, entry: TextEntry) throws(VaultError) in try vault.noteText(entry)
    }
    static let forgetTexts = Operation(
        "text-history.remove",
        .change,
        subjects: { _ in .none },
        audit: .change
    ) {
        (vault: isolated Vault, numbers: [UInt64]) throws(VaultError) in try vault.forgetTexts(numbers)
    }
    static let clearTextHistory = Operation(
        "text-history.clear",
        .change,
        subjects: { .none },
        audit: .change
    ) {
        (vault: isolated Vault) throws(VaultError) in try vault.clearTextHistory()
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// The history of texts under a typed key.
    public func textHistory() async throws -> TextHistory { try await perform(Operations.textHistory) }

    /// Switches the history on or off.
    @discardableResult
    public func setTextHistory(_ isOn: Bool) async throws -> TextHistoryState {
        try await perform(Operations.setTextHistory, isOn)
    }

    /// Remembers a text, if the history is on.
    @discardableResult
    public func noteText(_ entry: TextEntry) async throws -> TextHistoryState {
        try await perform(Operations.noteText, entry)
    }

    /// Forgets entries by their numbers, all of them or none.
    @discardableResult
    public func forgetTexts(_ numbers: [UInt64]) async throws -> TextHistoryState {
        try await perform(Operations.forgetTexts, numbers)
    }

    /// Forgets every entry.
    @discardableResult
    public func clearTextHistory() async throws -> Int { try await perform(Operations.clearTextHistory) }
}
