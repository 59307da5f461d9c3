internal import RecordStore
public import Secrets
internal import VaultCrypto

extension Vault {
    /// Returns the history of texts under a typed key; it is off and empty unless a person switched it on.
    public func textHistory() throws(VaultError) -> TextHistory {
        try onTexts { $0.history }
    }

    /// Switches the history on or off; its entries stay.
    public func setTextHistory(_ isOn: Bool) throws(VaultError) -> TextHistoryState {
        try onTexts { texts in
            texts.history.isOn = isOn
            return TextHistoryState(texts.history)
        }
    }

    /// Adds a text to the history, if the history is on; above a hundred entries, the oldest is removed.
    ///
    /// - Returns: the state of the history; if it is off, nothing was written.
    public func noteText(_ entry: TextEntry) throws(VaultError) -> TextHistoryState {
        try onTexts { texts in
            if texts.history.isOn {
                try texts.history.add(entry, at: texts.now)
            }
            return TextHistoryState(texts.history)
        }
    }

    /// Removes entries by their numbers; an unknown number refuses the whole call.
    ///
    /// - Throws: `text(.unknownEntry)`.
    public func forgetTexts(_ numbers: [UInt64]) throws(VaultError) -> TextHistoryState {
        try onTexts { texts in
            let known = Set(texts.history.items.map(\.number))
            guard numbers.allSatisfy(known.contains) else { throw TextHistoryError.unknownEntry }
            texts.history.items.removeAll { numbers.contains($0.number) }
            return TextHistoryState(texts.history)
        }
    }

    /// Removes every entry; the history stays on or off.
    ///
    /// - Returns: the number of removed entries.
    public func clearTextHistory() throws(VaultError) -> Int {
        try onTexts { texts in
            defer { texts.history.items = [] }
            return texts.history.items.count
        }
    }

    private func onTexts<R>(
        _ act: (inout TextHistoryTransaction) throws -> R
    ) throws(VaultError) -> R {
        try transact(TextHistoryTransaction.self, act)
    }
}

/// The history in one snapshot, with the changes of an operation.
private struct TextHistoryTransaction: RecordTransaction {
    private static let kind = "text.history"
    private static let name = "history"

    /// Unix seconds.
    let now: UInt64
    /// The history after the changes.
    var history = TextHistory()
    private let reader: any RecordReader
    private var before = TextHistory()
    private var revision: Revision = 0

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        self.reader = reader
        self.now = now
        guard let record = try reader.find(try RecordID(Self.kind, Self.name)) else { return }
        before = try TextHistory(content: record.body)
        revision = record.info.revision
        history = before
    }

    func changes() throws -> ChangeSet? {
        guard history != before else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        // The record has no searchable attributes, because every program can read those in a keyring.
        let draft = RecordDraft(
            id: try RecordID(Self.kind, Self.name),
            label: "HSIP text history",
            body: try history.content()
        )
        changes.put(draft, expecting: revision)
        return changes
    }
}
