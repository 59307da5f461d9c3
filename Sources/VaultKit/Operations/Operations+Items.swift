internal import Secrets
package import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// Items of programs, as they are read.
    static var itemOperations: [any AnyOperation] {
        [
            itemCollections, itemSearch, itemFacts, itemVersions, itemGrant, itemGet, itemApplicationKey,
        ]
    }

    private static let values = ApprovalQuestion("read the item %1")

    /// All collections of items.
    package static let itemCollections = Operation.look("item.collections", items: .reads) {
        (vault: isolated Vault, _: Caller) in try vault.itemCollections()
    }
    /// The items that a search finds.
    package static let itemSearch = Operation.look("item.search", items: .reads) {
        (vault: isolated Vault, caller: Caller, search: ItemSearch) in
        try vault.searchItems(search, for: caller)
    }
    static let itemFacts = Operation.look("item.facts", items: .reads) {
        (vault: isolated Vault, caller: Caller, ids: [String]) in
        try vault.itemViews(ids, for: caller)
    }
    /// The numbers of the versions that an item has, the present one last.
    package static let itemVersions = Operation.look("item.versions", items: .readsForPeople) {
        (vault: isolated Vault, _: Caller, id: String) in try vault.itemVersions(id)
    }
    // It asks what a read would ask, and lets nothing out: the read has the entry in the log.
    /// Asks about what has to be asked about, and says which of the items are open then.
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
    /// The key of an application.
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

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Everything about items but their values, in parts that fit through an agent's socket.
    package func itemViews(_ ids: [String]) async throws -> [ItemView] {
        var views: [ItemView] = []
        var rest = ids[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(ItemView.maximum))
            let found = try await self(Operations.itemFacts, part)
            views += found
            // What follows the last one may not have fitted; where there is none, none of them is there.
            let last = found.last.flatMap { last in part.lastIndex(of: last.place.id) }
            rest = rest.dropFirst(last.map { $0 + 1 } ?? part.count)
        }
        return views
    }

    /// Values of items.
    package func itemValues(_ reading: ItemReading) async throws -> [ItemValue] {
        try await self(Operations.itemGet, reading).values()
    }
}
