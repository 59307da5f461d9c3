internal import RecordStore
internal import VaultCrypto

/// The items of a vault, each read separately, so that a bad or unreadable item does not stop the others.
struct SalvagedItems {
    let service: any ItemService
    let vaultID: [UInt8]
    /// The items that the service found, but refused to return.
    private(set) var refused: Set<ItemPath> = []

    init(_ service: any ItemService, _ vaultID: [UInt8]) {
        (self.service, self.vaultID) = (service, vaultID)
    }

    /// Finds the items of a schema, in one collection or in all.
    ///
    /// - Throws: `keyringLocked`.
    func paths(_ schema: String, in collection: ItemPath? = nil) throws(StoreError) -> [ItemPath] {
        let found = try service.find(KeyringItems.query(schema, vaultID))
        guard found.locked.isEmpty else { throw .keyringLocked }
        guard let collection else { return found.unlocked.sorted() }
        return found.unlocked.filter { SecretServiceStore.collection(of: $0) == collection }.sorted()
    }

    /// Reads an item with `body`; returns nil if the service does not return the item.
    ///
    /// - Throws: `keyringLocked`, `keyringDied`, `keyringTimeout`: then the state of every item is unknown.
    mutating func read<R>(
        _ path: ItemPath,
        _ body: (RawSpan) throws(StoreError) -> R?
    ) throws(StoreError) -> R? {
        var found: R?
        do throws(StoreError) {
            try KeyringItems.eachSecret(of: [path], service, vaultID) { _, text throws(StoreError) in
                found = try body(text)
            }
        } catch {
            guard case .keyringRefused = error else { throw error }
            refused.insert(path)
        }
        return found
    }

    /// Describes damaged items, in the order of their paths.
    func describe(_ paths: Set<ItemPath>) -> [KeyringSalvage.DamagedItem] {
        paths.sorted().map { path in
            let facts = try? service.facts(of: [path]).first
            return KeyringSalvage.DamagedItem(path: path, label: facts?.label ?? "")
        }
    }

    /// Returns the ids of pages in the attributes of items.
    func pages(_ paths: [ItemPath]) -> [ItemPath: String] {
        var names: [ItemPath: String] = [:]
        for path in paths { names[path] = (try? service.facts(of: [path]).first)?.attributes[ItemNames.page] }
        return names
    }
}

/// All pages in the keyring with valid marks of a root's key, whether the root names them or not.
struct SalvagedPages {
    /// The pages of records by id; several items may have one id.
    private(set) var pages: [PageID: [(reference: PageReference, content: Secret)]] = [:]
    private var bodies: [PageID: [(reference: PageReference, content: Secret)]] = [:]
    /// The items without a valid page of this vault.
    private(set) var odd: [ItemPath] = []

    /// Reads the pages of a collection.
    init(
        _ keys: MarkKeys,
        in collection: ItemPath,
        _ items: inout SalvagedItems
    ) throws(StoreError) {
        for path in try items.paths(ItemNames.pageSchema, in: collection) {
            let page = try items.read(path) { text throws(StoreError) in try Page.content(text) }
            if let page, Page.isOurs(page, keys, .page) {
                pages[page.reference.id, default: []].append(page)
            } else if let page, Page.isOurs(page, keys, .body) {
                bodies[page.reference.id, default: []].append(page)
            } else {
                odd.append(path)
            }
        }
    }

    /// Returns the records of a page that the root names; nil if the page is missing or damaged.
    ///
    /// - Throws: `newerRecord`.
    func records(of page: Root.PageFacts, _ root: Root) throws(StoreError) -> [StoredRecord]? {
        let found = pages[page.reference.id]?.first { $0.reference == page.reference }
        guard let content = found?.content,
            let records = try Page.records(content, floor: root.floor, generation: root.generation),
            records.first?.id == page.first, records.last?.id == page.last, records.count == page.count
        else { return nil }
        return records
    }

    /// Returns the records of pages that the root does not name: former versions, and versions of unfinished commits.
    func others(than named: Set<PageID>, upTo generation: UInt64) throws(StoreError) -> [StoredRecord] {
        var records: [StoredRecord] = []
        for (id, found) in pages where !named.contains(id) {
            for page in found {
                do throws(StoreError) {
                    records += try Page.records(page.content, floor: 0, generation: generation) ?? []
                } catch .newerRecord {
                    continue
                }
            }
        }
        return records
    }

    /// Returns the body of a record; nil if its page is missing or damaged.
    func body(of record: StoredRecord) throws(StoreError) -> Secret? {
        switch record.body {
        case .inline(let body): return body
        case .page(let page, let count):
            guard let found = bodies[page.id]?.first(where: { $0.reference == page }),
                found.content.count == PageID.size + count
            else { return nil }
            return try Page.body(found.content)
        }
    }
}
