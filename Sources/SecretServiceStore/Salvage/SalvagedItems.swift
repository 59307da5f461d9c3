internal import RecordStore
internal import VaultCrypto

/// The items of a vault, each read on its own: what one of them holds, or that it cannot be read, stops no other.
struct SalvagedItems {
    let service: any ItemService
    let vaultID: [UInt8]
    /// Items that the service found and did not give.
    private(set) var refused: Set<ItemPath> = []

    init(_ service: any ItemService, _ vaultID: [UInt8]) {
        (self.service, self.vaultID) = (service, vaultID)
    }

    /// Unlocked items of a schema, of one collection or of all.
    ///
    /// - Throws: `keyringLocked`.
    func paths(_ schema: String, in collection: ItemPath? = nil) throws(StoreError) -> [ItemPath] {
        let found = try service.find(KeyringItems.query(schema, vaultID))
        guard found.locked.isEmpty else { throw .keyringLocked }
        guard let collection else { return found.unlocked.sorted() }
        return found.unlocked.filter { SecretServiceStore.collection(of: $0) == collection }.sorted()
    }

    /// The content of an item; nil if the service does not return it.
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

    /// What can be said of items that are damaged, in the order of their paths.
    func describe(_ paths: Set<ItemPath>) -> [KeyringSalvage.DamagedItem] {
        paths.sorted().map { path in
            let facts = try? service.facts(of: [path]).first
            return KeyringSalvage.DamagedItem(path: path, label: facts?.label ?? "")
        }
    }

    /// The ids of pages that items say that they are.
    func pages(_ paths: [ItemPath]) -> [ItemPath: String] {
        var names: [ItemPath: String] = [:]
        for path in paths { names[path] = (try? service.facts(of: [path]).first)?.attributes[ItemNames.page] }
        return names
    }
}

/// Everything in the keyring that carries the marks of a root's key, named by it or not.
struct SalvagedPages {
    /// Pages of records, by id; of one id there may be several.
    private(set) var pages: [PageID: [(reference: PageReference, content: Secret)]] = [:]
    private var bodies: [PageID: [(reference: PageReference, content: Secret)]] = [:]
    /// Items that hold no page of this vault.
    private(set) var odd: [ItemPath] = []

    /// Reads them.
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

    /// The records of a page that the root names; nil where it is missing or damaged.
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

    /// The records of pages that the root does not name: versions of before, and of commits that never were.
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

    /// The body of a record; nil where its page is missing or damaged.
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
