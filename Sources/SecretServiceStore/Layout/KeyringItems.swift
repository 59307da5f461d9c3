internal import RecordStore
internal import Synchronization
internal import VaultCrypto

/// The items of one vault: found, read, written, and read back.
struct KeyringItems: Sendable {
    let service: any ItemService
    let vaultID: [UInt8]
    /// The path of the collection that holds them.
    let collection: ItemPath
    /// What a view has read; a commit and a look for damage read everything anew.
    var view: PagesInView?

    /// What finds the items of a schema.
    func query(_ schema: String) -> [String: String] { Self.query(schema, vaultID) }

    static func query(_ schema: String, _ vaultID: [UInt8]) -> [String: String] {
        [ItemNames.schema: schema, ItemNames.vault: Hex.encode(vaultID)]
    }

    /// Items of the vault's collection that have these attributes.
    ///
    /// - Throws: `keyringLocked` when one of them must be unlocked first.
    func paths(_ attributes: [String: String]) throws(StoreError) -> [ItemPath] {
        let found = try service.find(attributes)
        guard !found.locked.contains(where: isMine) else { throw .keyringLocked }
        return found.unlocked.filter(isMine)
    }

    /// Visits the secrets of items.
    ///
    /// - Throws: `keyringLocked` when the service left out an item that is still there.
    func eachSecret(
        of paths: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try Self.eachSecret(of: paths, service, vaultID, visit)
    }

    /// Visits the secrets of items, as above.
    static func eachSecret(
        of paths: [ItemPath],
        _ service: any ItemService,
        _ vaultID: [UInt8],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard !paths.isEmpty else { return }
        var seen: Set<ItemPath> = []
        try service.eachSecret(of: paths) { path, secret throws(StoreError) in
            seen.insert(path)
            try visit(path, secret)
        }
        guard seen.count < paths.count else { return }
        // Gone, or locked since they were found: a locked item is not "nothing there".
        let left = try service.find([ItemNames.vault: Hex.encode(vaultID)])
        guard (left.locked + left.unlocked).allSatisfy({ seen.contains($0) || !paths.contains($0) }) else {
            throw .keyringLocked
        }
    }

    /// Whether an item holds a secret.
    func holds(_ secret: Secret, at path: ItemPath) throws(StoreError) -> Bool {
        try holds([(path, secret)])
    }

    /// Whether each item holds its secret.
    func holds(_ written: [(path: ItemPath, secret: Secret)]) throws(StoreError) -> Bool {
        var left = [ItemPath: Secret](written.map { ($0.path, $0.secret) }) { $1 }
        try eachSecret(of: written.map(\.path)) { path, bytes throws(StoreError) in
            if let secret = left[path], ConstantTime.equal(bytes, secret) { left[path] = nil }
        }
        return left.isEmpty
    }

    /// Whether an item lies in the vault's collection.
    private func isMine(_ path: ItemPath) -> Bool {
        path.hasPrefix(collection) && path.dropFirst(collection.count).first == "/"
    }
}

extension Secret {
    /// A copy of bytes that belong to others.
    convenience init(lent bytes: RawSpan) throws(StoreError) {
        let copy: SecretBytes
        do { copy = try SecretBytes(copying: bytes) } catch { throw StoreError(error) }
        self.init(copy)
    }
}

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
