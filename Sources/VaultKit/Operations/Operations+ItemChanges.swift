internal import VaultPolicy

extension Operations {
    /// The operations that change the items of programs.
    static var itemChangeOperations: [any AnyOperation] {
        [
            makeItem, setItem, setItemAccess, removeItem, restoreItem, importItems, tryItems, setCollection,
            removeCollection, closeCollection, openCollection,
        ]
    }

    /// Stores an item.
    package static let makeItem = Operation(
        ItemOperation.make,
        .comparison("find out whether it knows the item %1"),
        when: { making in making.replaces },
        otherwise: .change,
        items: .changes,
        subjects: { making in CallSubjects.named(making.label).items(.replaced(making)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, making: ItemMaking) in
        try vault.makeItem(making, for: caller)
    }
    /// Changes items, except for the programs that may read them; for those see `setItemAccess`.
    package static let setItem = Operation(
        ItemOperation.set,
        .comparison("find out whether it knows the item %1"),
        when: { _, change in change.value != nil },
        otherwise: .change,
        items: .changes,
        subjects: { ids, _ in CallSubjects.named(ids).items(.changes(ids)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String], change: ItemChange) in
        guard !change.decidesLater else { throw ItemError.onlyByPeople }
        return try vault.changeItems(ids, change, for: caller)
    }
    /// Sets the owner of items and the programs that may read them without a question; ignores all other changes.
    package static let setItemAccess = Operation(
        ItemOperation.access,
        .decidesLater("choose the programs that need not ask for the item %1"),
        items: .changesForPeople,
        subjects: { ids, change in
            CallSubjects.named(ids).detailed(change.accessDetails).items(.changes(ids))
        },
        audit: .rule
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String], change: ItemChange) in
        try vault.changeItems(ids, change.accessOnly, for: caller)
    }
    /// Moves items to the trash.
    package static let removeItem = Operation(
        "item.remove",
        .change,
        items: .changes,
        subjects: { ids in CallSubjects.named(ids).items(.changes(ids)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String]) in
        try vault.removeItems(ids, for: caller)
    }
    /// Restores items from the trash.
    package static let restoreItem = Operation(
        "item.restore",
        .change,
        items: .changesForPeople,
        subjects: { ids in .named(ids) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String]) in
        try vault.restoreItems(ids, for: caller)
    }
    static let importItems = Operation(
        "item.import",
        .comparisonOfAll("find out which items of the vault it knows"),
        items: .changesForPeople,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, batch: ItemImport) in
        try vault.importItems(batch)
    }
    static let tryItems = Operation(
        "item.import-trial",
        .comparisonOfAll("find out which items of the vault it knows"),
        items: .readsForPeople,
        audit: nil
    ) {
        (vault: isolated Vault, _: Caller, batch: ItemImport) in
        try vault.importItems(batch, isTrial: true)
    }
    /// Makes a collection, relabels it, or makes it the collection `default`.
    package static let setCollection = Operation(
        "item.collection-set",
        .change,
        items: .changes,
        subjects: { change in
            CallSubjects.named(change.id ?? change.label)
                .items(change.becomesDefault ? .becomingDefault(change.id ?? "") : .none)
        },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, change: CollectionChange) in
        try vault.setCollection(change, for: caller)
    }
    /// Removes a collection, and moves its items to the trash.
    package static let removeCollection = Operation(
        ItemOperation.removeCollection,
        .change,
        items: .changes,
        subjects: { id in CallSubjects.named(id).items(.ending(id)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, id: String) in
        try vault.removeCollection(id, for: caller)
    }
    /// Closes a collection for programs on the bus; returns whether all collections are closed now.
    package static let closeCollection = Operation(
        "item.close",
        .change,
        items: .changes,
        subjects: { id in .named(id) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, id: String) in try vault.closeCollection(id)
    }
    /// Opens a closed collection.
    package static let openCollection = Operation(
        ItemOperation.open,
        .change,
        items: .changes,
        subjects: { id in CallSubjects.named(id).items(.opening(id)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, id: String) -> Nothing in
        try vault.openCollection(id, for: caller)
        return Nothing()
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Imports items of another keyring in one commit, or only reports the outcome of each.
    package func importItems(_ batch: ItemImport, isTrial: Bool = false) async throws -> [ItemImportOutcome] {
        try await self(isTrial ? Operations.tryItems : Operations.importItems, batch)
    }
}
