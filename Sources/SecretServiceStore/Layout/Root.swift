internal import RecordStore
internal import VaultCrypto

/// The root of a vault: its position in the history, its pages and recent records (Schemas/keyring-vault.md section 3).
///
/// A root describes one state of the whole vault: a commit makes new pages and then replaces the root.
struct Root: Sendable {
    /// The most bytes of recent entries; if they exceed it, they move to pages.
    static let longestRecent = 24 << 10
    /// The highest number that an anchor can hold.
    static let lastGeneration = UInt64(Int64.max)

    /// A page of records.
    struct PageFacts: Equatable, Sendable {
        let reference: PageReference
        let first: RecordID
        let last: RecordID
        let count: Int

        func covers(_ id: RecordID) -> Bool { first <= id && id <= last }
    }

    let vaultID: [UInt8]
    let keys: MarkKeys
    /// The key epoch: it rises when the vault moves from a file.
    var epoch: UInt32
    /// The number of the newest commit.
    var generation: UInt64
    /// Records with a revision below this predate the last restore.
    var floor: UInt64
    /// 16 random bytes that are new with every commit.
    var mark: [UInt8]
    /// The number of records.
    var records: UInt64 = 0
    /// Pages of records, ascending.
    var pages: [PageFacts] = []
    /// The changes since the pages were written.
    var recent: [RecordID: Entry] = [:]
    /// Records whose copies the last commit touches.
    var pending: [RecordID] = []

    var position: Position { Position(epoch: epoch, generation: generation) }

    /// The anchor for this position in the history.
    var anchor: AnchorText { AnchorText(vaultID: vaultID, position: position, tag: mark) }

    /// The page whose range includes a record; nil if no page does.
    func page(of id: RecordID) -> PageFacts? {
        guard let index = slot(of: id), pages[index].covers(id) else { return nil }
        return pages[index]
    }

    /// The index of the last page that begins at or before a record, or else the first page; nil without pages.
    func slot(of id: RecordID) -> Int? {
        guard !pages.isEmpty else { return nil }
        var (low, high) = (0, pages.count)
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].first <= id { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The pages that records of a kind (nil = every kind) may be in.
    func pages(of kind: RecordKind?) -> [PageFacts] {
        guard let kind else { return pages }
        return pages.filter { $0.first.kind <= kind && kind <= $0.last.kind }
    }

    /// Bytes of the recent entries.
    var recentSize: Int { recent.values.reduce(0) { $0 + $1.size } }
}
