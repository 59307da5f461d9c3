package import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Removes every item of a vault, its header first.
    ///
    /// What belongs to a vault *file* of the same id stays: its key slots and its anchor.
    package static func erase(vaultID: [UInt8], items service: any ItemService) throws(StoreError) {
        // Without its key no copy brings back what is half removed.
        let queries = [RootKey.query(vaultID)] + ItemNames.all.map { KeyringItems.query($0, vaultID) }
        for query in queries {
            for path in try unlockedPaths(query, service) { try service.delete(path) }
        }
    }

    /// Items of every collection, unlocked if they have to be.
    ///
    /// - Parameters:
    ///   - attributes: What all of them have.
    ///   - service: The keyring; it may ask the person for its password.
    ///   - isAlone: Locked ones say nothing where others are found.
    /// - Returns: The paths of those that can be read now.
    /// - Throws: `keyringLocked` when one stays locked; `promptDismissed`, `keyringTimeout`.
    static func unlockedPaths(
        _ attributes: [String: String],
        _ service: any ItemService,
        isAlone: Bool = false
    ) throws(StoreError) -> [ItemPath] {
        var found = try service.find(attributes)
        guard !found.locked.isEmpty, !isAlone || found.unlocked.isEmpty else { return found.unlocked }
        try service.unlock(Set(found.locked.map(collection)).sorted())
        found = try service.find(attributes)
        guard found.locked.isEmpty else { throw .keyringLocked }
        return found.unlocked
    }

    /// Every vault that the service holds, locked ones too.
    package static func vaults(items service: any ItemService) throws(StoreError) -> [KeyringVault] {
        let found = try service.find([ItemNames.schema: ItemNames.rootSchema])
        let locked = Set(found.locked)
        var known: Set<[UInt8]> = []
        return try service.facts(of: found.unlocked + found.locked).compactMap { facts in
            guard let id = facts.attributes[ItemNames.vault].flatMap({ Hex.decode($0) }), id.count == 16,
                known.insert(id).inserted
            else { return nil }
            return KeyringVault(
                vaultID: id,
                name: facts.attributes[ItemNames.name] ?? "",
                collection: collection(of: facts.path),
                isLocked: locked.contains(facts.path)
            )
        }
    }
}
