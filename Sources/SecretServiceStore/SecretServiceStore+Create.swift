internal import LocalState
package import RecordStore
package import VaultCrypto

extension SecretServiceStore {
    /// Makes a new vault without records in an unlocked collection.
    package static func create(
        named name: String,
        in collection: CollectionInfo,
        paths: KeyringPaths,
        items service: any ItemService,
        plainKinds: PlainKinds = .standard,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let vaultID = entropy.bytes(16)
        let place = try KeyringPlace(vaultID, paths, service, plainKinds, entropy, now)
        let header = KeyringHeader(
            vaultID: vaultID,
            epoch: 1,
            ceiling: try service.isDurable() ? KeyringHeader.step : 1,
            floor: 0,
            mark: entropy.bytes(16)
        )
        let store = SecretServiceStore(place, collection, isReadOnly: false, events: [])
        let held = try place.lockFile.exclusive()
        do throws(StoreError) {
            try store.found(header, at: 1, named: name, held)
        } catch {
            // Nobody knows the id of this vault yet, so nothing of it may stay behind.
            try? erase(vaultID: vaultID, items: service)
            throw error
        }
        return store
    }

    /// Makes redo and header, the header last: with it the vault is there.
    ///
    /// - Parameter isCopy: The anchor stays where it is until the copy is claimed.
    func found(
        _ header: KeyringHeader,
        at generation: UInt64,
        named name: String,
        isCopy: Bool = false,
        _ held: HeldLock
    ) throws(StoreError) {
        // Of an earlier stay in the keyring it says nothing of these items.
        noting { () throws(StoreError) in try lastWrite.write(nil) }
        if try shelf.redo() == nil { _ = try shelf.makeRedo(named: name) }
        let path = try shelf.make(header, named: name)
        let known = Known(line: header.line(at: generation), header: header, headerPath: path)
        if !isCopy { noting { () throws(StoreError) in try anchor.raise(to: known.anchor) } }
        settle(known, held)
    }
}
