internal import RecordStore
internal import Synchronization

/// Pages that one view of the vault has read: what asks for several records of a page costs one call and not one for
/// each.
///
/// It lasts as long as the view, whose root names the pages and never changes.
final class PagesInView: Sendable {
    /// Most pages that are kept, of 32 KiB: a look at every record must not hold the whole vault.
    private static let maximum = 8

    private let kept = Mutex<[(id: PageID, records: [StoredRecord])]>([])

    /// The records of a page; nil for one that was not read, or too long ago.
    func records(of page: PageID) -> [StoredRecord]? {
        kept.withLock { kept in kept.last { $0.id == page }?.records }
    }

    /// Keeps the records of whole pages in the place of those that were read first.
    func keep(_ pages: [PageID: [StoredRecord]]) {
        guard pages.count <= Self.maximum else { return }
        kept.withLock { kept in
            kept += pages.map { ($0.key, $0.value) }
            kept.removeFirst(max(0, kept.count - Self.maximum))
        }
    }
}
