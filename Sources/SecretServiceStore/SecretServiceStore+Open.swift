package import RecordStore
package import VaultCrypto

extension SecretServiceStore {
    /// Opens a vault, and finishes or undoes an interrupted commit.
    ///
    /// `describe` returns the name of a collection; it is called once.
    package static func open(
        vaultID: [UInt8],
        options: OpenOptions = OpenOptions(),
        paths: KeyringPaths,
        items service: any ItemService,
        natives: NativeValues = .none,
        describe: (ItemPath) throws(StoreError) -> CollectionInfo,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let place = try KeyringPlace(vaultID, paths, service, natives, entropy, now)
        // Read before the root: otherwise, a commit in between would look like a rollback.
        let (seen, line) = (try place.anchor.read(), try place.lockFile.shared().line)
        var isPutBack = false
        let found: FoundRoot
        do throws(StoreError) {
            found = try place.findRoot()
        } catch {
            guard error == .notFound || error == .tampered(.head), !options.readOnly, !options.stale else {
                throw error
            }
            let outcome = try place.putRootBack(acceptsRollback: options.acceptsRollback)
            guard outcome != .none else { throw error }
            isPutBack = outcome == .putBack
            found = try place.findRoot()
        }
        let collection = try describe(Self.collection(of: found.path))
        let events = try judge(found.root, seen, line, options)
        let isOld = events.contains { if case .stale = $0 { true } else { false } }
        let store = SecretServiceStore(
            place,
            collection,
            isReadOnly: options.readOnly || isOld,
            takesOldCopies: options.stale || options.acceptsRollback,
            events: events
        )
        store.remember(found)
        if isPutBack { store.notePutBack() }
        guard !options.acceptsRollback, !store.isReadOnly else { return store }
        if events.contains(.anchorMissing) { try store.countAsRestored() } else { try store.settle(seen) }
        return store
    }

    /// Compares the vault with the newest position in its history that was seen here.
    private static func judge(
        _ root: Root,
        _ seen: AnchorText?,
        _ line: LockLine?,
        _ options: OpenOptions
    ) throws(StoreError) -> [StoreEvent] {
        do {
            try root.judge(seen, line)
        } catch {
            if options.acceptsRollback { return [] }
            guard options.stale else { throw error }
            let newest = max(seen?.position ?? root.position, line?.position ?? root.position)
            return [.stale(found: root.position, expected: newest)]
        }
        guard seen == nil, root.generation > 1 || root.epoch > 1 else { return [] }
        guard !options.requireAnchor else { throw .anchorRequired }
        return [.anchorMissing]
    }

    /// Finishes an interrupted commit, and raises the anchor to the present state.
    private func settle(_ seen: AnchorText?) throws(StoreError) {
        let root = try unlocking { () throws(StoreError) in
            let (held, found) = try beginReading()
            guard held.line != found.root.line else { return found.root }
            held.giveBack()
            return try beginWriting().found.root
        }
        guard root.isBeyond(seen) else { return }
        try raiseAnchor(to: root, isNeeded: needsAnchor)
    }

    /// The path of an item's collection.
    static func collection(of item: ItemPath) -> ItemPath {
        item.lastIndex(of: "/").map { String(item[..<$0]) } ?? item
    }
}

extension KeyringPlace {
    /// The root of the vault in any collection, which is unlocked if necessary.
    ///
    /// - Throws: `notFound`, `tampered(.head)`, `newerFormat`; `keyringLocked`, `promptDismissed`.
    func findRoot() throws(StoreError) -> FoundRoot {
        let query = KeyringItems.query(ItemNames.rootSchema, vaultID)
        let paths = try SecretServiceStore.unlockedPaths(query, service, isAlone: true)
        let marks = try [lockFile.shared().line?.mark, anchor.read()?.tag].compactMap(\.self)
        do {
            return try KeyringItems.root(in: paths, service, vaultID, marks: marks)
        } catch {
            guard error == .keyringLocked else { throw error }
        }
        try service.unlock(Set(paths.map(SecretServiceStore.collection)).sorted())
        return try KeyringItems.root(in: paths, service, vaultID, marks: marks)
    }
}

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
            // No process knows the id of this vault yet, so none of its items may remain.
            try? erase(vaultID: vaultID, items: service)
            throw error
        }
        return store
    }
}
