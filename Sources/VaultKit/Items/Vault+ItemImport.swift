internal import RecordStore
internal import Secrets

extension Vault {
    /// Imports items of another keyring in one commit; new items have no owner.
    ///
    /// Among several items with equal attributes the latest changed one wins: its value is the present one at
    /// the end.
    ///
    /// - Parameters:
    ///   - batch: the items, and the labels of missing collections.
    ///   - isTrial: whether to report the outcomes without writing anything.
    /// - Returns: the outcome of each item, in the order of the batch.
    /// - Throws: the error of the first item that cannot be imported; then none is imported.
    ///   `ItemError.tooManyItems` for a batch above the limit; items without room are only left out.
    func importItems(_ batch: ItemImport, isTrial: Bool = false) throws(VaultError) -> [ItemImportOutcome] {
        guard batch.count <= ItemImport.maximum else { throw .item(.tooManyItems(limit: ItemImport.maximum)) }
        let items = try asVaultError(batch.items)
        for item in items { try Self.check(item.value) }
        return try transact(ItemTransaction.self, isTrial: isTrial) { transaction in
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

    /// Makes the missing collections of an import.
    ///
    /// - Returns: the ids of the collections without room.
    private static func makeCollections(
        of items: [ImportedItem],
        _ labels: [String: String],
        _ loaded: LoadedItems,
        _ transaction: inout ItemTransaction
    ) throws -> Set<String> {
        var count = loaded.collections.count
        var surplus: Set<String> = []
        for id in Set(items.map(\.collection)).sorted() where !loaded.hasCollection(id) {
            guard CollectionRecord.isID(id) else { throw ItemError.badItem }
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
