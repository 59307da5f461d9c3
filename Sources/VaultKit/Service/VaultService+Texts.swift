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
