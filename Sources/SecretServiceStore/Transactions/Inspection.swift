internal import RecordStore
internal import VaultCrypto

/// Everything that lies in the keyring under the name of a vault, compared with its root.
struct Inspection {
    private(set) var records: [StoredRecord] = []
    private(set) var damaged: [DamagedRecord] = []
    /// Pages of records that cannot be read.
    private(set) var damagedPages: Set<PageID> = []
    /// Records whose long bodies cannot be read.
    private(set) var bodiless: [StoredRecord] = []
    /// Items of the vault that are none of its root, its pages or its copies.
    private(set) var strays: [ItemPath] = []
    /// What copies are to be, and are not: there are others, or none.
    private(set) var differing: [Copies.Copy] = []
    private(set) var unpublished: [Copies.Copy] = []

    /// Looks at all of it.
    ///
    /// - Throws: `tampered(.head)` when there are fewer records than the root says, or more.
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

    /// The records that can be read.
    var sound: Int { records.count - bodiless.count }

    /// Roots beside the one, pages that it does not name, and what another program wrote.
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
            // Roots and pages are looked at above. A copy that another program wrote over has lost its schema.
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
