package import VaultPolicy

/// The items of an open vault in memory, and which of them a search finds; those in the trash are not in it.
package struct ItemIndex: Sendable {
    private var records: [String: ItemRecord] = [:]
    private var places: [ItemAttributes.Pair: Set<String>] = [:]

    /// An index of some items.
    package init(_ records: some Sequence<ItemRecord>) {
        for record in records { put(record) }
    }

    /// How many items there are.
    package var count: Int { records.count }

    /// The item with an id; nil for none.
    package subscript(id: String) -> ItemRecord? { records[id] }

    /// All items, in no order.
    package var all: some Collection<ItemRecord> { records.values }

    /// Puts an item in, in the place of the one with its id; one in the trash is taken out.
    package mutating func put(_ record: ItemRecord) {
        remove(record.id)
        guard record.removedAt == nil else { return }
        records[record.id] = record
        for pair in record.attributes.searchable { places[pair, default: []].insert(record.id) }
    }

    /// Takes an item out.
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

    /// The items that have all attributes of a search, the newest change first, as programs take the first.
    ///
    /// - Parameters:
    ///   - wanted: the search; one for nothing finds everything.
    ///   - collection: the id of the collection to search in; nil for all.
    /// - Returns: what is found.
    package func search(_ wanted: ItemAttributes, in collection: String? = nil) -> [ItemRecord] {
        let found: [ItemRecord]
        if wanted.pairs.isEmpty {
            found = Array(records.values)
        } else {
            // The rarest pair leaves the fewest to look at.
            let sets = wanted.pairs.map { places[$0] ?? [] }
            let rarest = sets.min { $0.count < $1.count } ?? []
            found = rarest.compactMap { id in sets.allSatisfy { $0.contains(id) } ? records[id] : nil }
        }
        return Self.sorted(found.filter { collection == nil || $0.collection == collection })
    }

    /// Items with the newest change first.
    package static func sorted(_ records: [ItemRecord]) -> [ItemRecord] {
        records.sorted { ($1.lastChange, $0.id) < ($0.lastChange, $1.id) }
    }

    /// The item that a program's new one takes the place of: one of its collection with equal attributes, the program's
    /// own first, then one that it was granted, then nobody's, then another's; nil for none.
    ///
    /// What the program does not see stays as it is.
    package func replaced(
        by attributes: ItemAttributes,
        in collection: String,
        for program: ProgramIdentity?,
        isSeen: (ItemRecord) -> Bool = { _ in true }
    ) -> (record: ItemRecord, standing: ItemStanding)? {
        // Of equal standing the newest comes first in a search, and `min` takes the first.
        search(attributes, in: collection).filter { $0.attributes.isEqual(to: attributes) && isSeen($0) }
            .map { ($0, $0.standing(for: program)) }.min { $0.1 < $1.1 }
    }
}
