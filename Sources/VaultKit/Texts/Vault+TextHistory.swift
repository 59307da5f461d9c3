internal import RecordStore

extension Vault {
    /// The history of texts under a typed key; off and empty where nobody has switched it on.
    public func textHistory() throws(VaultError) -> TextHistory {
        try onTexts { (turn) throws(VaultError) in turn.history }
    }

    /// Switches the history on or off; its entries stay.
    public func setTextHistory(_ isOn: Bool) throws(VaultError) -> TextHistoryState {
        try onTexts { (turn) throws(VaultError) in
            turn.history.isOn = isOn
            return TextHistoryState(turn.history)
        }
    }

    /// Remembers a text, if the history is on; the oldest entry goes when there are a hundred.
    ///
    /// - Returns: how the history is now: where it is off, nothing was written.
    public func noteText(_ entry: TextEntry) throws(VaultError) -> TextHistoryState {
        try onTexts { (turn) throws(VaultError) in
            if turn.history.isOn {
                do throws(TextHistoryError) {
                    try turn.history.add(entry, at: turn.now)
                } catch {
                    throw .text(error)
                }
            }
            return TextHistoryState(turn.history)
        }
    }

    /// Forgets entries by their numbers, all of them or none.
    ///
    /// - Throws: `text(.unknownEntry)`.
    public func forgetTexts(_ numbers: [UInt64]) throws(VaultError) -> TextHistoryState {
        try onTexts { (turn) throws(VaultError) in
            let known = Set(turn.history.items.map(\.number))
            guard numbers.allSatisfy(known.contains) else { throw .text(.unknownEntry) }
            turn.history.items.removeAll { numbers.contains($0.number) }
            return TextHistoryState(turn.history)
        }
    }

    /// Forgets every entry; whether new ones are written stays as it is.
    ///
    /// - Returns: how many there were.
    public func clearTextHistory() throws(VaultError) -> Int {
        try onTexts { (turn) throws(VaultError) in
            defer { turn.history.items = [] }
            return turn.history.items.count
        }
    }

    private func onTexts<R>(
        _ act: (inout TextHistoryTurn) throws(VaultError) -> R
    ) throws(VaultError) -> R {
        try on(TextHistoryTurn.self, isProved: true, act)
    }
}
