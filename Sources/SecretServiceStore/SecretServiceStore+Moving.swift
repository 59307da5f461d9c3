package import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// Passes the newest state to `body` while no process can write; other processes wait, as for a commit.
    ///
    /// An interrupted commit is finished first.
    ///
    /// - Parameter body: Gets a view and its position in the history; it must not call the store again.
    /// - Returns: The result of `body`.
    /// - Throws: What `body` throws; `readOnly` where commits are refused; `busy` after ten seconds;
    ///   `rollback` and `fork` when another copy went ahead; what the service answers.
    package func hold<R>(
        _ body: (any RecordReader, Position) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        guard !isReadOnly else { throw .readOnly }
        let (held, root) = try unlocking { () throws(StoreError) in try holdAlone() }
        defer { withExtendedLifetime(held) {} }
        return try body(KeyringReader(items, root, lockFile, held), root.position)
    }

    /// The lock without the anchor, which `claim` compares: a process with another runtime folder has another lock.
    private func holdAlone() throws(StoreError) -> (HeldLock, Root) {
        let transaction = try beginWriting()
        return (transaction.held, transaction.found.root)
    }

    /// Makes this copy the one that counts: the anchor is raised to it, and every older copy is refused as a
    /// `rollback` from now on.
    ///
    /// - Parameter last: Where the source was when it was copied.
    /// - Throws: `conflict` when something was committed to the source since, past its lock.
    package func claim(over last: Position? = nil) throws(StoreError) {
        let root = try reading { $0.root }
        try anchor.raise(to: root.anchor, over: last, isSynced: needsAnchor)
    }

    /// The key epoch of the vault of this id that the service holds; nil when there is none.
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

    /// Removes what a stopped adoption left; a whole vault of another key epoch stays as it is.
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
