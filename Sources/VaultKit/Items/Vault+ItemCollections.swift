internal import RecordStore
internal import Secrets

extension Vault {
    /// Makes a collection, relabels it, or makes it the collection `default`.
    ///
    /// - Throws: `ItemError.unknownCollection`; `tooManyCollections`; `badItem`; `closed`; `changedMeanwhile` if no verdict
    ///   lets the program change the meaning of `default`.
    func setCollection(_ change: CollectionChange, for caller: Caller) throws(VaultError) -> CollectionView {
        let id = try transact(ItemTransaction.self) { (transaction) -> String in
            let loaded = try loadedItems(transaction.reader)
            var record = try Self.collection(change, loaded)
            if change.becomesDefault, loaded.defaultCollection != record.id {
                if let access = caller.bus, !access.mayDecide(about: change.id ?? "") {
                    throw ItemError.changedMeanwhile
                }
                for var other in loaded.collections.values where other.isDefault {
                    other.isDefault = false
                    try transaction.put(other)
                }
                record.isDefault = true
            }
            if let id = change.id { try requireOpen(id, loaded, for: caller) }
            if let label = change.label { record.label = label }
            if loaded.collections[record.id] != record { try transaction.put(record) }
            return record.id
        }
        guard let view = try itemCollections().first(where: { $0.id == id }) else {
            throw .item(.unknownCollection)
        }
        return view
    }

    /// Removes a collection; its items are moved to the trash in the same commit.
    ///
    /// - Throws: `ItemError.unknownCollection`; `fixedCollection` for `login`; `closed`; `changedMeanwhile`.
    func removeCollection(_ id: String, for caller: Caller) throws(VaultError) -> [ItemPlace] {
        guard id != LoadedItems.login else { throw .item(.fixedCollection) }
        let places = try transact(ItemTransaction.self) { transaction in
            let loaded = try loadedItems(transaction.reader)
            try requireOpen(id, loaded, for: caller)
            let ids = loaded.index.all.filter { $0.collection == id }.map(\.id).sorted()
            if let access = caller.bus, !ids.isEmpty, !access.mayDecide(about: id) {
                throw ItemError.changedMeanwhile
            }
            let places = try Self.remove(ids, loaded, for: caller, &transaction)
            try transaction.erase(collection: id)
            return places
        }
        items.closed.remove(id)
        return places
    }

    /// Closes a collection for programs on the bus, until it or the vault is opened.
    ///
    /// - Returns: whether all collections are closed now.
    /// - Throws: `ItemError.unknownCollection`.
    func closeCollection(_ id: String) throws(VaultError) -> Bool {
        let loaded = try loadedItems()
        guard loaded.hasCollection(id) else { throw .item(.unknownCollection) }
        items.closed.insert(id)
        return Set(loaded.collections.keys).union([LoadedItems.login]).isSubset(of: items.closed)
    }

    /// Opens a closed collection.
    ///
    /// - Throws: `ItemError.unknownCollection`; `changedMeanwhile` if no verdict lets the program do it.
    func openCollection(_ id: String, for caller: Caller) throws(VaultError) {
        guard try loadedItems().hasCollection(id) else { throw .item(.unknownCollection) }
        guard items.closed.contains(id) else { return }
        if let access = caller.bus, !access.mayDecide(about: id) { throw .item(.changedMeanwhile) }
        items.closed.remove(id)
    }

    /// The record to change: the existing one, or a new one.
    private static func collection(
        _ change: CollectionChange,
        _ loaded: LoadedItems
    ) throws(VaultError) -> CollectionRecord {
        if let id = change.id {
            guard loaded.hasCollection(id) else { throw .item(.unknownCollection) }
            return loaded.collections[id] ?? CollectionRecord(id: id, label: "Login")
        }
        guard let label = change.label else { throw .item(.badItem) }
        guard loaded.collections.count < ItemLimits.collections else {
            throw .item(.tooManyCollections(limit: ItemLimits.collections))
        }
        // The bus service has a collection `session` of its own.
        let id = CollectionRecord.newID(for: label) { $0 == "session" || loaded.hasCollection($0) }
        guard let id else { throw .item(.badItem) }
        return CollectionRecord(id: id, label: label)
    }
}
