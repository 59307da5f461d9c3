internal import RecordStore
internal import VaultCrypto

/// The result of reading pages.
struct ReadPages: Sendable {
    /// The records of each valid page.
    var records: [PageID: [StoredRecord]] = [:]
    /// The pages that are missing, or differ from the root's facts.
    var damaged: [Root.PageFacts] = []

    var damagedIDs: Set<PageID> { Set(damaged.map(\.reference.id)) }
}

extension KeyringItems {
    /// Above this number of pages, a single search for all pages is cheaper than a search for each page.
    private static let fewPages = 3

    /// Reads pages of records.
    func pages(_ wanted: [Root.PageFacts], _ root: Root) throws(StoreError) -> ReadPages {
        var read = ReadPages()
        for page in wanted { read.records[page.reference.id] = view?.records(of: page.reference.id) }
        let kept = read.records
        let missing = wanted.filter { kept[$0.reference.id] == nil }
        let found = try contents(missing.map(\.reference), root.keys, .page)
        for page in missing {
            guard let content = found[page.reference.id],
                let records = try Page.records(content, floor: root.floor, generation: root.generation),
                records.first?.id == page.first, records.last?.id == page.last, records.count == page.count
            else {
                read.damaged.append(page)
                continue
            }
            read.records[page.reference.id] = records
        }
        view?.keep(read.records.filter { kept[$0.key] == nil })
        return read
    }

    /// The body of a record.
    ///
    /// - Throws: `tampered` if its page is missing, or differs from the entry.
    func body(of record: StoredRecord, _ root: Root) throws(StoreError) -> Secret {
        switch record.body {
        case .inline(let body): return body
        case .page(let page, let count):
            guard let content = try contents([page], root.keys, .body)[page.id],
                content.count == PageID.size + count
            else { throw .tampered(.record(DamagedRecord(record.id, part: .body))) }
            return try Page.body(content)
        }
    }

    /// Reads the contents of pages with the expected marks.
    func contents(
        _ wanted: [PageReference],
        _ keys: MarkKeys,
        _ place: MarkKeys.Place
    ) throws(StoreError) -> [PageID: Secret] {
        guard !wanted.isEmpty else { return [:] }
        var tags: [PageID: [UInt8]] = [:]
        for page in wanted { tags[page.id] = page.tag }
        var found: [PageID: Secret] = [:]
        try eachSecret(of: pagePaths(wanted)) { _, text throws(StoreError) in
            guard let page = try Page.content(text), let tag = tags[page.reference.id],
                ConstantTime.equal(page.reference.tag, tag), Page.isOurs(page, keys, place)
            else { return }
            found[page.reference.id] = page.content
        }
        return found
    }

    private func pagePaths(_ wanted: [PageReference]) throws(StoreError) -> [ItemPath] {
        var query = query(ItemNames.pageSchema)
        guard wanted.count <= Self.fewPages else { return try paths(query) }
        var found: [ItemPath] = []
        for page in wanted {
            query[ItemNames.page] = page.id.hex
            found += try paths(query)
        }
        return found
    }

    /// Makes pages, and reads them back.
    ///
    /// - Throws: The errors of the service; then the new pages are removed again as far as possible.
    func make(_ drafts: [Page.Draft]) throws(StoreError) {
        var made: [(path: ItemPath, secret: Secret)] = []
        do throws(StoreError) {
            for draft in drafts {
                var attributes = query(ItemNames.pageSchema)
                attributes[ItemNames.page] = draft.reference.id.hex
                let item = ItemDraft(label: "HSIP vault, records", attributes: attributes, secret: draft.text)
                made.append((try service.create(item, in: collection), draft.text))
            }
            guard try holds(made) else { throw .commitUnknown }
        } catch {
            for page in made { guard (try? service.delete(page.path)) != nil else { break } }
            // No root names the new pages, so nothing has changed.
            throw error == .commitUnknown ? .keyringRefused(code: 0) : error
        }
    }

    /// Removes pages that the root no longer names.
    func remove(_ pages: [PageID]) throws(StoreError) {
        var query = query(ItemNames.pageSchema)
        for page in pages {
            query[ItemNames.page] = page.hex
            for path in try paths(query) { try service.delete(path) }
        }
    }
}
