internal import RecordStore
internal import VaultCrypto

/// The outcome of putting back a missing root.
enum RootReturn {
    /// The root has no copy, or two roots claim to be current.
    case none
    /// The root exists: another program put it back, or it was never missing.
    case already
    case putBack
}

extension KeyringPlace {
    /// Restores the root from its copy if another program replaced, emptied or removed its item.
    ///
    /// Only the last acknowledged state is restored: an earlier copy is a `rollback`, as an old keyring would
    /// be.
    ///
    /// - Parameter acceptsRollback: Whether to restore an older copy too, for a caller that marks all records
    ///   as written before a restore.
    /// - Returns: The outcome.
    /// - Throws: `rollback`, `fork`; `busy`; the errors of the service.
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
        // A new item, because GNOME Keyring gives an item that another program overwrote another schema,
        // which shows after its restart, and the root would be lost.
        let items = KeyringItems(service: service, vaultID: vaultID, collection: key.collection)
        _ = try items.make(root, named: key.name)
        // The root counts even if the old items cannot be set aside; doctor finds them.
        try? SecretServiceStore.setAside(paths.unlocked, service)
        return .putBack
    }

    /// The content of the copy, and the item whose key opens it; nil if no key does.
    private func opened() throws(StoreError) -> (RootKey, Secret)? {
        for key in try RootKey.all(vaultID, in: service) {
            if let text = try rootCopy.read(key.key) { return (key, text) }
        }
        return nil
    }
}

extension SecretServiceStore {
    /// Keeps a copy of the present root; if that fails, the copy is removed and nothing else fails.
    ///
    /// - Parameters:
    ///   - found: The root.
    ///   - checksKey: Whether to check that its key is kept too; otherwise that happens only for the first
    ///     copy.
    func keepCopy(of found: FoundRoot, checksKey: Bool = false) {
        do throws(StoreError) {
            if checksKey || !place.rootCopy.isThere { try RootKey.keep(found, items) }
            try place.rootCopy.write(found.text, found.root.keys.copy, entropy)
        } catch {
            // An old copy would be behind the acknowledged state.
            place.rootCopy.remove()
        }
    }
}
