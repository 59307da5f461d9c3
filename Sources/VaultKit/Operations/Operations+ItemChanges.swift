internal import Audit
internal import VaultPolicy

extension Operations {
    /// Items of programs, as they are changed.
    static var itemChangeOperations: [any AnyOperation] {
        [
            makeItem, setItem, setItemAccess, removeItem, restoreItem, importItems, tryItems, setCollection,
            removeCollection, closeCollection, openCollection,
        ]
    }

    /// What no program on the bus may call.
    static let onlyByPeople: Set<String> = Set(
        [setItemAccess.name, restoreItem.name, importItems.name, tryItems.name, itemVersions.name]
    )

    static let makeItem = Operation(
        "item.make",
        .comparison("find out whether it knows the item %1"),
        when: { making in making.replaces },
        otherwise: .change,
        subjects: { making in CallSubjects.named(making.label).items(.replaced(making)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, making: ItemMaking) throws(VaultError) in
        try vault.makeItem(making, for: caller)
    }
    static let setItem = Operation(
        "item.set",
        .comparison("find out whether it knows the item %1"),
        when: { _, change in change.value != nil },
        otherwise: .change,
        subjects: { ids, _ in CallSubjects.named(ids).items(.changes(ids)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String], change: ItemChange) throws(VaultError) in
        guard !change.decidesLater else { throw .item(.onlyByPeople) }
        return try vault.changeItems(ids, change, for: caller)
    }
    static let setItemAccess = Operation(
        "item.access",
        .decidesLater("choose the programs that need not ask for the item %1"),
        subjects: { ids, change in
            CallSubjects.named(ids).detailed(change.accessDetails).items(.changes(ids))
        },
        audit: .rule
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String], change: ItemChange) throws(VaultError) in
        try vault.changeItems(ids, change.accessOnly, for: caller)
    }
    static let removeItem = Operation(
        "item.remove",
        .change,
        subjects: { ids in CallSubjects.named(ids).items(.changes(ids)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String]) throws(VaultError) in
        try vault.removeItems(ids, for: caller)
    }
    static let restoreItem = Operation(
        "item.restore",
        .change,
        subjects: { ids in .named(ids) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String]) throws(VaultError) in
        try vault.restoreItems(ids, for: caller)
    }
    static let importItems = Operation(
        "item.import",
        .comparisonOfAll("find out which items of the vault it knows"),
        subjects: { _ in .none },
        audit: .change
    ) {
        (vault: isolated Vault, batch: ItemImport) throws(VaultError) in try vault.importItems(batch)
    }
    static let tryItems = Operation(
        "item.import-trial",
        .comparisonOfAll("find out which items of the vault it knows"),
        subjects: { _ in .none },
        audit: nil
    ) {
        (vault: isolated Vault, batch: ItemImport) throws(VaultError) in
        try vault.importItems(batch, isTrial: true)
    }
    static let setCollection = Operation(
        "item.collection-set",
        .change,
        subjects: { change in
            CallSubjects.named(change.id ?? change.label)
                .items(change.becomesDefault ? .becomingDefault(change.id ?? "") : .none)
        },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, change: CollectionChange) throws(VaultError) in
        try vault.setCollection(change, for: caller)
    }
    static let removeCollection = Operation(
        "item.collection-remove",
        .change,
        subjects: { id in CallSubjects.named(id).items(.ending(id)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, id: String) throws(VaultError) in
        try vault.removeCollection(id, for: caller)
    }
    static let closeCollection = Operation(
        "item.close",
        .change,
        subjects: { id in .named(id) },
        audit: .change
    ) {
        (vault: isolated Vault, id: String) throws(VaultError) in try vault.closeCollection(id)
    }
    static let openCollection = Operation(
        "item.open",
        .change,
        subjects: { id in CallSubjects.named(id).items(.opening(id)) },
        audit: .change
    ) {
        (vault: isolated Vault, caller: Caller, id: String) throws(VaultError) -> Nothing in
        try vault.openCollection(id, for: caller)
        return Nothing()
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Stores an item.
    package func makeItem(_ making: ItemMaking) async throws -> ItemOutcome {
        try await perform(Operations.makeItem, making)
    }

    /// Changes items; who may have them is `setItemAccess`.
    @discardableResult
    package func setItems(_ ids: [String], _ change: ItemChange) async throws -> [ItemView] {
        try await perform(Operations.setItem, ids, change)
    }

    /// Says whose items are, and which programs have them without a question; nothing else of the change counts.
    @discardableResult
    package func setItemAccess(_ ids: [String], _ change: ItemChange) async throws -> [ItemView] {
        try await perform(Operations.setItemAccess, ids, change)
    }

    /// Puts items into the trash.
    @discardableResult
    package func removeItems(_ ids: [String]) async throws -> [ItemPlace] {
        try await perform(Operations.removeItem, ids)
    }

    /// Takes items out of the trash.
    @discardableResult
    package func restoreItems(_ ids: [String]) async throws -> [ItemView] {
        try await perform(Operations.restoreItem, ids)
    }

    /// Takes items of another keyring in one commit, or says what would become of each.
    package func importItems(_ batch: ItemImport, isTrial: Bool = false) async throws -> [ItemImportOutcome] {
        try await perform(isTrial ? Operations.tryItems : Operations.importItems, batch)
    }

    /// Makes a collection, gives one another label, or has `default` name it.
    package func setItemCollection(_ change: CollectionChange) async throws -> CollectionView {
        try await perform(Operations.setCollection, change)
    }

    /// Takes a collection out, its items to the trash.
    @discardableResult
    package func removeItemCollection(_ id: String) async throws -> [ItemPlace] {
        try await perform(Operations.removeCollection, id)
    }

    /// Closes a collection for programs on the bus; whether all are closed by now.
    package func closeItemCollection(_ id: String) async throws -> Bool {
        try await perform(Operations.closeCollection, id)
    }

    /// Opens a collection that was closed.
    package func openItemCollection(_ id: String) async throws {
        _ = try await perform(Operations.openCollection, id)
    }
}
