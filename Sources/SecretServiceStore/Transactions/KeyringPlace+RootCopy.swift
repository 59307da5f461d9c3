internal import RecordStore
internal import VaultCrypto

/// What became of a root that was not found.
enum RootReturn {
    /// The root has no copy, or two roots claim to be current.
    case none
    /// It is there: another program put it back, or it was never gone.
    case already
    case putBack
}

extension KeyringPlace {
    /// Puts the root back from its copy, where another program replaced, emptied or removed its item.
    ///
    /// Only the state that was acknowledged last is put back: a copy from before is a `rollback`, as the keyring of then
    /// would be.
    ///
    /// - Parameter acceptsRollback: An older copy is put back, too; it is for who lets every record predate a restore.
    /// - Returns: What there is now.
    /// - Throws: `rollback`, `fork`; `busy`; what the service answers.
    func putRootBack(acceptsRollback: Bool = false) throws(StoreError) -> RootReturn {
        guard rootCopy.isThere else { return .none }
        let held = try lockFile.exclusive()
        defer { withExtendedLifetime(held) {} }
        let query = KeyringItems.query(ItemNames.rootSchema, vaultID)
        let paths = try service.find(query)
        guard paths.locked.isEmpty else { throw .keyringLocked }
        let roots = try KeyringItems.roots(in: paths.unlocked, service, vaultID).whole
        guard roots.isEmpty else { return roots.count == 1 ? .already : .none }
        guard let (key, text) = try opened(),
            let root = try text.withBytes({ bytes throws(StoreError) in try Root(bytes) }),
            root.vaultID == vaultID
        else { return .none }
        if !acceptsRollback { try root.judge(try anchor.read(), held.line) }
        // Never into an item that another program wrote over: GNOME Keyring has another schema for that one, which shows when
        // it starts again, and the root would be none.
        let items = KeyringItems(service: service, vaultID: vaultID, collection: key.collection)
        _ = try items.make(root, named: key.name)
        // The root counts whatever becomes of those; doctor finds what stays.
        try? SecretServiceStore.setAside(paths.unlocked, service)
        return .putBack
    }

    /// What the copy holds, and the item whose key opens it; nil where none does.
    private func opened() throws(StoreError) -> (RootKey, Secret)? {
        for key in try RootKey.all(vaultID, in: service) {
            if let text = try rootCopy.read(key.key) { return (key, text) }
        }
        return nil
    }
}

extension SecretServiceStore {
    /// Keeps a copy of the root that is there; where that fails there is none, and nothing else fails with it.
    ///
    /// - Parameters:
    ///   - found: The root.
    ///   - checksKey: Also looks whether its key is kept; else only where there was no copy yet.
    func keepCopy(of found: FoundRoot, checksKey: Bool = false) {
        do throws(StoreError) {
            if checksKey || !place.rootCopy.isThere { try RootKey.keep(found, items) }
            try place.rootCopy.write(found.text, found.root.keys.copy, entropy)
        } catch {
            // One that stayed behind would be older than what is acknowledged.
            place.rootCopy.remove()
        }
    }
}
