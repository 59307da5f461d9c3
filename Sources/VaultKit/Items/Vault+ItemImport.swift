internal import RecordStore
internal import ServiceFormats
internal import VaultCrypto
internal import VaultPolicy

extension Vault {
    /// Takes items of another keyring, all of them in one commit; nobody owns what is new.
    ///
    /// - Parameters:
    ///   - batch: the items, and the labels of collections that are not there.
    ///   - isTrial: whether to say only what would become of each; nothing is written then.
    /// - Returns: what became of each, in the order of the batch.
    /// - Throws: what one of them refuses: then none is taken. `ItemError.tooManyItems`; `tooManyCollections`.
    func importItems(_ batch: ItemImport, isTrial: Bool = false) throws(VaultError) -> [ItemImportOutcome] {
        guard batch.count <= ItemImport.maximum else { throw .item(.tooManyItems(limit: ItemImport.maximum)) }
        let items = try batch.items()
        for item in items { try Self.check(item.value) }
        return try transact(ItemTransaction.self, isTrial: isTrial) { (transaction) throws(VaultError) in
            let loaded = try loadedItems(transaction.reader)
            try Self.makeCollections(of: items, batch.labels, loaded, &transaction)
            var taking = Taking()
            var outcomes: [ItemImportOutcome] = []
            for item in items {
                outcomes.append(try Self.take(item, batch, loaded, isTrial, &taking, &transaction))
            }
            return outcomes
        }
    }

    /// What an import has added so far.
    private struct Taking {
        var places: [ItemMark: ItemPlace] = [:]
        var added = 0
    }

    /// By what an import finds an item again.
    private struct ItemMark: Hashable {
        let collection: String
        let pairs: Set<ItemAttributes.Pair>
    }

    private static func take(
        _ item: ItemMaking,
        _ batch: ItemImport,
        _ loaded: LoadedItems,
        _ isTrial: Bool,
        _ taking: inout Taking,
        _ transaction: inout ItemTransaction
    ) throws(VaultError) -> ItemImportOutcome {
        let mark = ItemMark(collection: item.collection, pairs: Set(item.attributes.searchable))
        let old = loaded.index.replaced(by: item.attributes, in: item.collection, for: nil)?.record
        let known = taking.places[mark] ?? old.map { ItemPlace(collection: $0.collection, id: $0.id) }
        guard let known else {
            try loaded.requireRoom(for: nil, added: taking.added)
            let place = try add(item, owner: nil, &transaction)
            taking.places[mark] = place
            taking.added += 1
            return ItemImportOutcome(place: isTrial ? nil : place, act: .added)
        }
        let (_, content, _) = try transaction.open(known.id)
        let place = taking.places[mark] != nil && isTrial ? nil : known
        if ConstantTime.equal(content.value, item.value) {
            return ItemImportOutcome(place: place, act: .known)
        }
        guard batch.updates else { return ItemImportOutcome(place: place, act: .differs) }
        var change = ItemChange()
        (change.value, change.contentType) = (item.value, item.contentType)
        try apply(change, to: known.id, by: nil, &transaction)
        return ItemImportOutcome(place: place, act: .versioned)
    }

    /// Makes the collections that items of an import are in and that are not there.
    private static func makeCollections(
        of items: [ItemMaking],
        _ labels: [String: String],
        _ loaded: LoadedItems,
        _ transaction: inout ItemTransaction
    ) throws(VaultError) {
        var count = loaded.collections.count
        for id in Set(items.map(\.collection)).sorted() where !loaded.hasCollection(id) {
            guard count < ItemLimits.collections else {
                throw .item(.tooManyCollections(limit: ItemLimits.collections))
            }
            guard CollectionRecord.isID(id) else { throw .item(.badItem) }
            try transaction.put(CollectionRecord(id: id, label: labels[id] ?? id))
            count += 1
        }
    }
}
