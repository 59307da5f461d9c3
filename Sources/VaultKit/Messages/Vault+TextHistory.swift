internal import RecordStore
public import Secrets
internal import VaultCrypto

extension Vault {
    /// The history of texts under a typed key; off and empty where it was not switched on.
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

    /// Remembers a text, if the history is on; the oldest entry goes when there are a hundred.
    ///
    /// - Returns: how the history is now: where it is off, nothing was written.
    public func noteText(_ entry: TextEntry) throws(VaultError) -> TextHistoryState {
        try onTexts { texts in
            if texts.history.isOn {
                try texts.history.add(entry, at: texts.now)
            }
            return TextHistoryState(texts.history)
        }
    }

    /// Forgets entries by their numbers, all of them or none.
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

    /// Forgets every entry; whether new ones are written stays as it is.
    ///
    /// - Returns: how many there were.
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

/// The history as it was in one snapshot, and what an act does to it.
private struct TextHistoryTransaction: RecordTransaction {
    private static let kind = "text.history"
    private static let name = "history"

    /// Unix seconds.
    let now: UInt64
    /// As it is to be.
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
        // Nothing about it is searchable: in a keyring that would be there for every program to read.
        let draft = RecordDraft(
            id: try RecordID(Self.kind, Self.name),
            label: "HSIP text history",
            body: try history.content()
        )
        changes.put(draft, expecting: revision)
        return changes
    }
}
