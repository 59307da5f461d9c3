internal import RecordStore
internal import Synchronization
internal import VaultCrypto

/// Finds, reads, writes and verifies the items of one vault.
struct KeyringItems: Sendable {
    let service: any ItemService
    let vaultID: [UInt8]
    /// The path of the vault's collection.
    let collection: ItemPath
    /// The pages that a view has read; commits and checks for damage read every page anew.
    var view: PagesInView?

    /// The attributes that find the items of a schema.
    func query(_ schema: String) -> [String: String] { Self.query(schema, vaultID) }

    static func query(_ schema: String, _ vaultID: [UInt8]) -> [String: String] {
        [ItemNames.schema: schema, ItemNames.vault: Hex.encode(vaultID)]
    }

    /// Finds the items of the vault's collection that have these attributes.
    ///
    /// - Throws: `keyringLocked` if such an item must be unlocked first.
    func paths(_ attributes: [String: String]) throws(StoreError) -> [ItemPath] {
        let found = try service.find(attributes)
        guard !found.locked.contains(where: isMine) else { throw .keyringLocked }
        return found.unlocked.filter(isMine)
    }

    /// Visits the secrets of items.
    ///
    /// - Throws: `keyringLocked` if the service left out an item that still exists.
    func eachSecret(
        of paths: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try Self.eachSecret(of: paths, service, vaultID, visit)
    }

    /// Like `eachSecret(of:_:)`, without a collection.
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
        // The missing items are gone, or were locked meanwhile; a locked item must not count as gone.
        let left = try service.find([ItemNames.vault: Hex.encode(vaultID)])
        guard (left.locked + left.unlocked).allSatisfy({ seen.contains($0) || !paths.contains($0) }) else {
            throw .keyringLocked
        }
    }

    /// Whether an item has this secret.
    func holds(_ secret: Secret, at path: ItemPath) throws(StoreError) -> Bool {
        try holds([(path, secret)])
    }

    /// Whether each item has its secret.
    func holds(_ written: [(path: ItemPath, secret: Secret)]) throws(StoreError) -> Bool {
        var left = [ItemPath: Secret](written.map { ($0.path, $0.secret) }) { $1 }
        try eachSecret(of: written.map(\.path)) { path, bytes throws(StoreError) in
            if let secret = left[path], ConstantTime.equal(bytes, secret) { left[path] = nil }
        }
        return left.isEmpty
    }

    /// Whether an item is in the vault's collection.
    private func isMine(_ path: ItemPath) -> Bool {
        path.hasPrefix(collection) && path.dropFirst(collection.count).first == "/"
    }
}

extension Secret {
    /// Copies bytes into locked memory.
    convenience init(lent bytes: RawSpan) throws(StoreError) {
        let copy: SecretBytes
        do { copy = try SecretBytes(copying: bytes) } catch { throw StoreError(error) }
        self.init(copy)
    }
}

/// The pages that one view of the vault has read, so that several records of a page cost one call.
///
/// The cache lives as long as the view, whose root names the pages and never changes.
final class PagesInView: Sendable {
    /// The most pages of 32 KiB that are kept: reading every record must not hold the whole vault in memory.
    private static let maximum = 8

    private let kept = Mutex<[(id: PageID, records: [StoredRecord])]>([])

    /// The records of a page; nil if it was not read, or no longer kept.
    func records(of page: PageID) -> [StoredRecord]? {
        kept.withLock { kept in kept.last { $0.id == page }?.records }
    }

    /// Keeps the records of whole pages, and drops the oldest.
    func keep(_ pages: [PageID: [StoredRecord]]) {
        guard pages.count <= Self.maximum else { return }
        kept.withLock { kept in
            kept += pages.map { ($0.key, $0.value) }
            kept.removeFirst(max(0, kept.count - Self.maximum))
        }
    }
}

/// The names that items are found by (Schemas/keyring-vault.md section 1).
enum ItemNames {
    /// Attribute: which of the schemas below an item follows.
    static let schema = "xdg:schema"
    /// Attribute: the id of the vault, 32 hexadecimal digits.
    static let vault = "vault"
    /// Attribute: the id of a page, 16 hexadecimal digits.
    static let page = "page"
    /// Attribute: the kind of a record.
    static let kind = "kind"
    /// Attribute: the name of a record within its kind, or the name of a vault.
    static let name = "name"
    /// Attribute of an item that was set aside: the id of the vault that it was found in.
    static let aside = "aside"
    /// Attribute of the key of the root's copy: the id of the vault.
    static let copied = "hsip:copied"
    /// Attribute of the key of the root's copy: the name of the vault.
    static let called = "hsip:called"

    /// The prefix of every schema of this program.
    static let prefix = "io.hsip."
    static let rootSchema = "io.hsip.vault.Header"
    static let pageSchema = "io.hsip.vault.Page"
    static let copySchema = "io.hsip.vault.Secret"
    static let asideSchema = "io.hsip.vault.Aside"
    static let rootKeySchema = "io.hsip.vault.RootKey"

    /// Every schema of a vault's own items; the schema of the root is first.
    static let all = [rootSchema, pageSchema, copySchema]

    /// Whether an attribute of a record may not be copied under its name.
    static func isReserved(_ attribute: String) -> Bool {
        [vault, page, kind, name, aside].contains { $0.utf8.elementsEqual(attribute.utf8) }
            || attribute.utf8.starts(with: "xdg:".utf8) || attribute.utf8.starts(with: "hsip:".utf8)
    }
}
