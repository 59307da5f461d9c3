internal import RecordStore
internal import VaultCrypto

/// A comparison of all items of a vault in the keyring with its root.
struct Inspection {
    private(set) var records: [StoredRecord] = []
    private(set) var damaged: [DamagedRecord] = []
    /// The pages of records that are unreadable.
    private(set) var damagedPages: Set<PageID> = []
    /// The records whose long bodies are unreadable.
    private(set) var bodiless: [StoredRecord] = []
    /// The items of the vault except its root, its pages and its copies.
    private(set) var strays: [ItemPath] = []
    /// The wanted copies whose items differ from the record; without a draft, the items must be removed.
    private(set) var differing: [Copies.Copy] = []
    private(set) var unpublished: [Copies.Copy] = []

    /// Reads and compares all items.
    ///
    /// - Throws: `tampered(.head)` if all pages are readable, but the number of records differs from the root's number; the
    ///   errors of the service.
    init(_ found: FoundRoot, _ items: KeyringItems, _ copies: Copies) throws(StoreError) {
        let root = found.root
        let read = try items.pages(root.pages, root)
        damagedPages = read.damagedIDs
        for page in root.pages {
            records += (read.records[page.reference.id] ?? []).filter { root.recent[$0.id] == nil }
        }
        records += root.recent.values.compactMap(\.record)
        damaged = read.damaged.flatMap { $0.lost(root) }
        if damagedPages.isEmpty, UInt64(records.count) != root.records { throw .tampered(.head) }
        let bodies = try items.contents(records.compactMap(\.bodyPage), root.keys, .body)
        bodiless = records.filter { record in record.bodyPage.map { bodies[$0.id] == nil } ?? false }
        damaged += bodiless.map { DamagedRecord($0.id, part: .body) }
        strays = try Self.strays(found, items, Set(records.compactMap(\.bodyPage?.id)))
        try compare(copies, items, bodies)
    }

    /// The number of readable records.
    var sound: Int { records.count - bodiless.count }

    /// Finds other roots, pages that the root does not name, and items that another program wrote.
    private static func strays(
        _ found: FoundRoot,
        _ items: KeyringItems,
        _ bodies: Set<PageID>
    ) throws(StoreError) -> [ItemPath] {
        let root = found.root
        let named = bodies.union(root.pages.map(\.reference.id))
        var strays = try items.paths(items.query(ItemNames.rootSchema)).filter { $0 != found.path }
        try items.eachSecret(of: items.paths(items.query(ItemNames.pageSchema))) {
            path,
            text throws(StoreError) in
            guard let page = try Page.content(text), named.contains(page.reference.id),
                Page.isOurs(page, root.keys, .page) || Page.isOurs(page, root.keys, .body)
            else { return strays.append(path) }
        }
        return strays.sorted()
    }

    /// Compares every copy with its record.
    private mutating func compare(
        _ copies: Copies,
        _ items: KeyringItems,
        _ bodies: [PageID: Secret]
    ) throws(StoreError) {
        let paths = try items.paths([ItemNames.vault: Hex.encode(items.vaultID)])
        var (facts, others): ([RecordID: [ItemFacts]], [RecordID: [ItemFacts]]) = ([:], [:])
        for one in paths.isEmpty ? [] : try items.service.facts(of: paths) {
            // Roots and pages are checked above. A copy that another program overwrote has lost its schema.
            let schema = one.attributes[ItemNames.schema] ?? ""
            let isOwn = schema == ItemNames.copySchema
            guard isOwn || !schema.hasPrefix(ItemNames.prefix) else { continue }
            guard let kind = one.attributes[ItemNames.kind], let name = one.attributes[ItemNames.name],
                let id = try? RecordID(kind, name)
            else {
                if isOwn { strays.append(one.path) }
                continue
            }
            if isOwn { facts[id, default: []].append(one) } else { others[id, default: []].append(one) }
        }
        var wanted: [ItemPath: Secret] = [:]
        var drafts: [RecordID: Copies.Copy] = [:]
        for record in records where copies.values.kinds.contains(record.id.kind) && !record.info.isNewer {
            let body: Secret
            switch record.body {
            case .inline(let inline): body = inline
            case .page(let page, _):
                guard let content = bodies[page.id] else { continue }
                body = try Page.body(content)
            }
            guard let copy = copies.copy(record.info, body), let draft = copy.draft else { continue }
            drafts[record.id] = copy
            if let path = facts[record.id]?.first?.path { wanted[path] = draft.secret }
        }
        var equal: Set<ItemPath> = []
        try items.eachSecret(of: wanted.keys.sorted()) { path, bytes throws(StoreError) in
            if let secret = wanted[path], ConstantTime.equal(bytes, secret) { equal.insert(path) }
        }
        for (id, copy) in drafts {
            let found = (facts.removeValue(forKey: id) ?? []) + (others[id] ?? [])
            guard let first = found.first, let draft = copy.draft else {
                unpublished.append(copy)
                continue
            }
            guard found.count > 1 || !equal.contains(first.path) || !Copies.isDescribed(first, draft) else {
                continue
            }
            differing.append(copy)
        }
        // The remaining copies belong to deleted records, or to records without a copy; a damaged page leaves
        // that unknown.
        if damaged.isEmpty { differing += facts.keys.map { Copies.Copy(id: $0) } }
        differing.sort { $0.id < $1.id }
        unpublished.sort { $0.id < $1.id }
    }
}
