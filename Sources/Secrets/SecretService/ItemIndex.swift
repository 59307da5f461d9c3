package import VaultPolicy

/// The items of an open vault in memory, by id and attributes; items in the trash are left out.
package struct ItemIndex: Sendable {
    private var records: [String: ItemRecord] = [:]
    private var places: [ItemAttributes.Pair: Set<String>] = [:]

    /// Makes an index of some items.
    package init(_ records: some Sequence<ItemRecord>) {
        for record in records { put(record) }
    }

    /// The number of items.
    package var count: Int { records.count }

    /// The item with this id; nil if there is none.
    package subscript(id: String) -> ItemRecord? { records[id] }

    /// All items, unordered.
    package var all: some Collection<ItemRecord> { records.values }

    /// Adds an item, or replaces the item with its id; removes an item that is in the trash now.
    package mutating func put(_ record: ItemRecord) {
        remove(record.id)
        guard record.removedAt == nil else { return }
        records[record.id] = record
        for pair in record.attributes.searchable { places[pair, default: []].insert(record.id) }
    }

    /// Removes an item.
    package mutating func remove(_ id: String) {
        guard let old = records.removeValue(forKey: id) else { return }
        for pair in old.attributes.searchable {
            guard places[pair]?.count != 1 else {
                places[pair] = nil
                continue
            }
            places[pair]?.remove(id)
        }
    }

    /// Finds the items that have all attributes of a search.
    ///
    /// The latest change is first, because programs use the first item.
    ///
    /// - Parameters:
    ///   - wanted: the attributes to search for; an empty search finds every item.
    ///   - collection: the id of the collection to search in; nil for all.
    /// - Returns: the items found.
    package func search(_ wanted: ItemAttributes, in collection: String? = nil) -> [ItemRecord] {
        let found: [ItemRecord]
        if wanted.pairs.isEmpty {
            found = Array(records.values)
        } else {
            // The rarest pair leaves the fewest items to check.
            let sets = wanted.pairs.map { places[$0] ?? [] }
            let rarest = sets.min { $0.count < $1.count } ?? []
            found = rarest.compactMap { id in sets.allSatisfy { $0.contains(id) } ? records[id] : nil }
        }
        return Self.sorted(found.filter { collection == nil || $0.collection == collection })
    }

    /// Sorts items by their latest change, the newest first.
    package static func sorted(_ records: [ItemRecord]) -> [ItemRecord] {
        records.sorted { ($1.lastChange, $0.id) < ($0.lastChange, $1.id) }
    }

    /// The item that a program's new item replaces: it has equal attributes in the same collection; nil if none has.
    ///
    /// The order of preference: the program's own item, an item granted to it, an item without an owner, an item of
    /// another program. Items that the program does not see are never replaced.
    package func replaced(
        by attributes: ItemAttributes,
        in collection: String,
        for program: ProgramIdentity?,
        isSeen: (ItemRecord) -> Bool = { _ in true }
    ) -> (record: ItemRecord, relation: ItemRelation)? {
        // The search returns the newest first, and `min` returns the first of equal elements.
        search(attributes, in: collection).filter { $0.attributes.isEqual(to: attributes) && isSeen($0) }
            .map { ($0, $0.relation(for: program)) }.min { $0.1 < $1.1 }
    }
}
