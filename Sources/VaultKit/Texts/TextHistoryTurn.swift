internal import RecordStore
internal import VaultCrypto

/// The history as it was in one snapshot, and what an act does to it.
struct TextHistoryTurn: RecordTurn {
    private static let kind = "text.history"
    private static let name = "history"

    /// Unix seconds.
    let now: UInt64
    /// As it is to be.
    var history = TextHistory()
    private let reader: any RecordReader
    private var before = TextHistory()
    private var revision: Revision = 0

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        self.reader = reader
        self.now = now
        do {
            guard let record = try reader.find(try RecordID(Self.kind, Self.name)) else { return }
            before = try TextHistory(content: record.body)
            revision = record.info.revision
        } catch {
            throw VaultError(error)
        }
        history = before
    }

    func changes() throws(VaultError) -> ChangeSet? {
        guard history != before else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        do {
            // Nothing about it is searchable: in a keyring that would be there for every program to read.
            let draft = RecordDraft(
                id: try RecordID(Self.kind, Self.name),
                label: "HSIP text history",
                body: try history.content()
            )
            changes.put(draft, expecting: revision)
        } catch {
            throw VaultError(error)
        }
        return changes
    }
}
