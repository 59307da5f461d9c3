internal import RecordStore
internal import VaultCrypto

extension KeyringItems {
    /// Removes unfinished pages of this vault, and pages that no root names.
    ///
    /// Items that this vault did not make stay; if a page is unreadable, all pages stay, because it may name
    /// others.
    ///
    /// - Returns: The number of removed items.
    func removeLeftovers(_ root: Root) throws(StoreError) -> Int {
        let named = Set(root.pages.map(\.reference.id))
        var (unnamed, empty): ([ItemPath: PageID], [ItemPath]) = ([:], [])
        try eachSecret(of: paths(query(ItemNames.pageSchema))) { path, text throws(StoreError) in
            guard text.byteCount > 0 else { return empty.append(path) }
            guard let page = try Page.content(text), !named.contains(page.reference.id),
                Page.isOurs(page, root.keys, .page) || Page.isOurs(page, root.keys, .body)
            else { return }
            unnamed[path] = page.reference.id
        }
        guard !unnamed.isEmpty || !empty.isEmpty else { return 0 }
        let (records, damaged) = try records(nil, root)
        guard damaged.isEmpty else { return 0 }
        let bodies = Set(records.compactMap(\.bodyPage?.id))
        var left = unnamed.filter { !bodies.contains($0.value) }.map(\.key)
        let all = Set((named.union(bodies)).map(\.hex))
        for facts in empty.isEmpty ? [] : try service.facts(of: empty) {
            guard let page = facts.attributes[ItemNames.page], !all.contains(page) else { continue }
            left.append(facts.path)
        }
        for path in left.sorted() { try service.delete(path) }
        return left.count
    }
}
