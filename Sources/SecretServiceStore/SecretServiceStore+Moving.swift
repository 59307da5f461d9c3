package import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Passes the newest state to `body` while no process can write; other processes wait, as for a commit.
    ///
    /// An interrupted commit is finished first.
    ///
    /// - Parameter body: Gets a view and its position in the history; it must not call the store again.
    /// - Returns: The result of `body`.
    /// - Throws: What `body` throws; `readOnly` if commits are refused; `busy` after ten seconds; `rollback` and `fork`
    ///   if another copy has newer commits; the errors of the service.
    package func hold<R>(
        _ body: (any RecordReader, Position) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        guard !isReadOnly else { throw .readOnly }
        let (held, root) = try unlocking { () throws(StoreError) in try holdAlone() }
        defer { withExtendedLifetime(held) {} }
        return try body(KeyringReader(items, root, lockFile, held), root.position)
    }

    /// Locks without the anchor, which `claim` compares: a process with another runtime folder has another lock.
    private func holdAlone() throws(StoreError) -> (HeldLock, Root) {
        let transaction = try beginWriting()
        return (transaction.held, transaction.found.root)
    }

    /// Makes this copy the valid vault: the anchor is raised to it, and from then on every older copy is refused as a
    /// `rollback`.
    ///
    /// - Parameter last: The position of the source when it was copied.
    /// - Throws: `conflict` if the source was changed since, despite its lock.
    package func claim(over last: Position? = nil) throws(StoreError) {
        let root = try reading { $0.root }
        try anchor.raise(to: root.anchor, over: last, isSynced: needsAnchor)
    }

    /// The key epoch of the service's vault with this id; nil if the service does not have it.
    package static func keyEpoch(
        of vaultID: [UInt8],
        in service: any ItemService
    ) throws(StoreError) -> UInt32? {
        let paths = try unlockedPaths(KeyringItems.query(ItemNames.rootSchema, vaultID), service)
        do throws(StoreError) {
            return try KeyringItems.root(in: paths, service, vaultID).root.epoch
        } catch {
            guard error == .notFound else { throw error }
            return nil
        }
    }

    /// Removes the items of an interrupted adoption; a whole vault of another key epoch stays unchanged.
    package static func eraseUnfinished(
        vaultID: [UInt8],
        epoch: UInt32,
        service: any ItemService
    ) throws(StoreError) {
        if let present = try keyEpoch(of: vaultID, in: service), present != epoch { return }
        try erase(vaultID: vaultID, items: service)
    }
}

extension SecretServiceStore {
    /// Removes every item of a vault, its header first.
    ///
    /// Items for a vault *file* of this id stay: its key slots and its anchor.
    package static func erase(vaultID: [UInt8], items service: any ItemService) throws(StoreError) {
        // The key is removed first, so that no copy can restore a half removed vault.
        let queries = [RootKey.query(vaultID)] + ItemNames.all.map { KeyringItems.query($0, vaultID) }
        for query in queries {
            for path in try unlockedPaths(query, service) { try service.delete(path) }
        }
    }

    /// Items in all collections, unlocked if necessary.
    ///
    /// - Parameters:
    ///   - attributes: The attributes that each item must have.
    ///   - service: The keyring; it may ask the person for its password.
    ///   - isAlone: Whether locked items are ignored if readable ones are found.
    /// - Returns: The paths of the readable items.
    /// - Throws: `keyringLocked` if an item stays locked; `promptDismissed`, `keyringTimeout`.
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

    /// Every vault in the service, including locked ones.
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
