internal import RecordStore
internal import Secrets

extension Vault {
    /// Takes items of another keyring, all of them in one commit; nobody owns what is new.
    ///
    /// Of several with equal attributes the one that was changed last counts: it is the one that the vault has at the end.
    ///
    /// - Parameters:
    ///   - batch: the items, and the labels of collections that are not there.
    ///   - isTrial: whether to say only what would become of each; nothing is written then.
    /// - Returns: what became of each, in the order of the batch.
    /// - Throws: what one of them refuses: then none is taken. `ItemError.tooManyItems` for a longer batch than there may be;
    ///   what only finds no room is left out.
    func importItems(_ batch: ItemImport, isTrial: Bool = false) throws(VaultError) -> [ItemImportOutcome] {
        guard batch.count <= ItemImport.maximum else { throw .item(.tooManyItems(limit: ItemImport.maximum)) }
        let items = try batch.items()
        for item in items { try Self.check(item.value) }
        return try transact(ItemTransaction.self, isTrial: isTrial) { (transaction) throws(VaultError) in
            let loaded = try loadedItems(transaction.reader)
            let surplus = try Self.makeCollections(of: items, batch.labels, loaded, &transaction)
            var intake = ItemIntake(
                items,
                loaded,
                without: surplus,
                updates: batch.updates,
                isTrial: isTrial
            )
            var outcomes: [Int: ItemImportOutcome] = [:]
            for number in intake.order { outcomes[number] = try intake.take(items[number], &transaction) }
            try loaded.requireRoom(for: transaction, by: .own)
            return outcomes.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Makes the collections that items of an import are in and that are not there.
    ///
    /// - Returns: those for which there is no room.
    private static func makeCollections(
        of items: [ImportedItem],
        _ labels: [String: String],
        _ loaded: LoadedItems,
        _ transaction: inout ItemTransaction
    ) throws(VaultError) -> Set<String> {
        var count = loaded.collections.count
        var surplus: Set<String> = []
        for id in Set(items.map(\.collection)).sorted() where !loaded.hasCollection(id) {
            guard CollectionRecord.isID(id) else { throw .item(.badItem) }
            guard count < ItemLimits.collections else {
                surplus.insert(id)
                continue
            }
            try transaction.put(CollectionRecord(id: id, label: labels[id] ?? id))
            count += 1
        }
        return surplus
    }
}
