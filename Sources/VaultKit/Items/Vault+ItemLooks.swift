internal import RecordStore
internal import Secrets
internal import VaultPolicy

extension Vault {
    /// Lists all collections, by id; `login` is always among them.
    func itemCollections() throws(VaultError) -> [CollectionView] {
        let loaded = try loadedItems()
        // The latest change in each collection.
        var newest: [String: UInt64] = [:]
        for record in loaded.index.all {
            newest[record.collection] = max(newest[record.collection] ?? 0, record.lastChange)
        }
        // A collection still has its items if its record was lost.
        let ids = Set(loaded.collections.keys).union(loaded.counts.keys).union([LoadedItems.login])
        return ids.sorted().map { id in
            let record = loaded.collections[id]
            return CollectionView(
                id: id,
                label: record?.label ?? (id == LoadedItems.login ? "Login" : id),
                isDefault: loaded.defaultCollection == id,
                isClosed: items.closed.contains(id),
                count: loaded.counts[id] ?? 0,
                created: (record?.created ?? 0) / 1_000,
                modified: max(record?.modified ?? 0, newest[id] ?? 0) / 1_000
            )
        }
    }

    /// Searches for items.
    ///
    /// - Throws: `ItemError.unknownCollection`; `onlyByPeople` for a program that searches the trash; `locked` for an
    ///   unidentified program if the matches are only items that it does not see; `unreadable` if nothing was found and a
    ///   record is unreadable, because an empty result would make a program store a new key over its old one.
    func searchItems(_ search: ItemSearch, for caller: Caller) throws(VaultError) -> ItemMatches {
        let loaded = try loadedItems()
        if let collection = search.collection, !loaded.hasCollection(collection) {
            throw .item(.unknownCollection)
        }
        guard !search.inTrash || caller.bus == nil else { throw .item(.onlyByPeople) }
        let found =
            search.inTrash
            ? ItemIndex.sorted(
                loaded.removed.values.filter {
                    $0.attributes.matches(search.attributes)
                        && (search.collection == nil || $0.collection == search.collection)
                }
            ) : loaded.index.search(search.attributes, in: search.collection)
        guard !found.isEmpty || !loaded.isShort else { throw .item(.unreadable) }
        var matches = ItemMatches()
        var isHidden = false
        for record in found {
            let place = ItemPlace(collection: record.collection, id: record.id)
            guard let access = caller.bus else {
                matches.open.append(place)
                continue
            }
            switch isOpen(record, for: access) {
            case true?: matches.open.append(place)
            case false?: matches.asked.append(place)
            case nil: isHidden = isHidden || isOfAnother(record, access.requester)
            }
        }
        // An unidentified program may have stored the hidden items itself.
        guard !isHidden || matches != ItemMatches() || search.attributes.pairs.isEmpty else {
            throw .store(.locked)
        }
        return matches
    }

    /// Returns everything about items except their values.
    ///
    /// Items that do not exist or that the program does not see are left out. If an answer would be too large, the items
    /// at the end are left out.
    ///
    /// - Throws: `ItemError.tooManyInCall`.
    func itemViews(_ ids: [String], for caller: Caller) throws(VaultError) -> [ItemView] {
        guard ids.count <= ItemView.maximum else { throw .item(.tooManyInCall(limit: ItemView.maximum)) }
        let loaded = try loadedItems()
        var (views, size): ([ItemView], Int) = ([], 0)
        for id in ids {
            guard let record = caller.bus == nil ? loaded[id] : loaded.index[id] else { continue }
            var isOpen = true
            if let access = caller.bus {
                guard let found = self.isOpen(record, for: access) else { continue }
                isOpen = found
            }
            size += 1_024 + record.label.utf8.count + record.collection.utf8.count
            size += record.readers.reduce(0) { $0 + $1.text.utf8.count + 4 }
            size += record.attributes.pairs.reduce(0) { $0 + $1.name.count + $1.value.count + 16 }
            guard size <= ItemView.longest || views.isEmpty else { break }
            views.append(ItemView(record, isOpen: isOpen, isWhole: caller.bus == nil))
        }
        return views
    }
}

extension ItemView {
    /// The most items in one call.
    package static let maximum = 1_000
    /// The largest number of bytes of one answer; it leaves a quarter of a call's limit free.
    static let longest = 6 << 20

    init(_ record: ItemRecord, isOpen: Bool, isWhole: Bool) {
        place = ItemPlace(collection: record.collection, id: record.id)
        label = record.label
        attributes = record.attributes
        contentType = record.contentType
        created = record.created / 1_000
        modified = record.lastChange / 1_000
        self.isOpen = isOpen
        details =
            isWhole
            ? Details(
                owner: record.owner,
                readers: record.readers,
                writer: record.writer,
                expires: record.expires == 0 ? nil : record.expires / 1_000,
                removedAt: record.removedAt
            ) : nil
    }
}
