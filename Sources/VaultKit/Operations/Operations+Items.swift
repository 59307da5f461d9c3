internal import Secrets
package import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// The operations that read the items of programs.
    static var itemOperations: [any AnyOperation] {
        [
            itemCollections, itemSearch, itemFacts, itemVersions, itemGrant, itemGet, itemApplicationKey,
        ]
    }

    private static let values = ApprovalQuestion("read the item %1")

    /// Lists all collections of items.
    package static let itemCollections = Operation.look("item.collections", items: .reads) {
        (vault: isolated Vault, _: Caller) in try vault.itemCollections()
    }
    /// Searches for items.
    package static let itemSearch = Operation.look("item.search", items: .reads) {
        (vault: isolated Vault, caller: Caller, search: ItemSearch) in
        try vault.searchItems(search, for: caller)
    }
    static let itemFacts = Operation.look("item.facts", items: .reads) {
        (vault: isolated Vault, caller: Caller, ids: [String]) in
        try vault.itemViews(ids, for: caller)
    }
    /// Lists the numbers of the versions of an item, the present version last.
    package static let itemVersions = Operation.look("item.versions", items: .readsForPeople) {
        (vault: isolated Vault, _: Caller, id: String) in try vault.itemVersions(id)
    }
    // This asks the questions of a read but returns no value, so the log has an entry only for the read itself.
    /// Asks the necessary questions about items, and returns the items that are open then.
    package static let itemGrant = Operation(
        "item.grant",
        .names,
        items: .reads,
        subjects: { ids in CallSubjects.named(ids).items(.values(ids, holds: true)) },
        audit: nil
    ) {
        (vault: isolated Vault, caller: Caller, ids: [String]) in
        try vault.grantedItems(ids, for: caller)
    }
    static let itemGet = Operation(
        ItemOperation.get,
        .values(values),
        items: .reads,
        subjects: { reading in
            CallSubjects.named(reading.ids).items(.values(reading.ids, holds: reading.holds))
        },
        audit: .read
    ) {
        (vault: isolated Vault, caller: Caller, reading: ItemReading)
            -> PackedSecrets<ItemValue.Head> in
        let values = try vault.itemValues(reading, for: caller)
        guard let packed = try? PackedSecrets(values.map(\.head), values.map(\.value)) else {
            throw ItemError.outOfMemory
        }
        return packed
    }
    /// Returns the key of an application.
    package static let itemApplicationKey = Operation(
        "item.app-key",
        .values(
            ApprovalQuestion(
                "get the key of the application %1",
                nameless: "get a key for an application"
            )
        ),
        items: .changes,
        subjects: { application in CallSubjects.named(application).items(.applicationKey(application)) },
        audit: .read
    ) {
        (vault: isolated Vault, caller: Caller, application: String) in
        try vault.applicationKey(of: application, for: caller)
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Reads everything about items except their values, in parts that fit through an agent's socket.
    package func itemViews(_ ids: [String]) async throws -> [ItemView] {
        var views: [ItemView] = []
        var rest = ids[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(ItemView.maximum))
            let found = try await self(Operations.itemFacts, part)
            views += found
            // The items after the last one returned may not have fitted. An empty answer means that the whole part is missing.
            let last = found.last.flatMap { last in part.lastIndex(of: last.place.id) }
            rest = rest.dropFirst(last.map { $0 + 1 } ?? part.count)
        }
        return views
    }

    /// Reads the values of items.
    package func itemValues(_ reading: ItemReading) async throws -> [ItemValue] {
        try await self(Operations.itemGet, reading).values()
    }
}
