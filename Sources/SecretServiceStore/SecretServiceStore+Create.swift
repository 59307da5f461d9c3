package import RecordStore
package import VaultCrypto

extension SecretServiceStore {
    /// Makes a new vault without records in an unlocked collection.
    package static func create(
        named name: String,
        in collection: CollectionInfo,
        paths: KeyringPaths,
        items service: any ItemService,
        natives: NativeValues = .none,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let vaultID = entropy.bytes(16)
        let place = try KeyringPlace(vaultID, paths, service, natives, entropy, now)
        let store = SecretServiceStore(place, collection, isReadOnly: false, events: [])
        let held = try place.lockFile.exclusive()
        do throws(StoreError) {
            let root = Root(
                vaultID: vaultID,
                keys: try MarkKeys.make(entropy),
                epoch: 1,
                generation: 1,
                floor: 0,
                mark: entropy.bytes(16)
            )
            let found = try store.items.make(root, named: name)
            try store.raiseAnchor(to: root, isNeeded: store.needsAnchor)
            store.settle(found, held)
        } catch {
            // No process knows the id of this vault yet, so nothing of it may stay behind.
            try? erase(vaultID: vaultID, items: service)
            throw error
        }
        return store
    }
}
