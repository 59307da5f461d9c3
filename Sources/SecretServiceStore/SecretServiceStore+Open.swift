internal import LocalState
package import RecordStore
package import VaultCrypto

extension SecretServiceStore {
    /// Opens a vault, finishing or undoing what an interrupted commit left.
    ///
    /// - Parameter describe: What a collection is called, asked once.
    package static func open(
        vaultID: [UInt8],
        options: OpenOptions = OpenOptions(),
        paths: KeyringPaths,
        items service: any ItemService,
        plainKinds: PlainKinds = .standard,
        describe: (ItemPath) throws(StoreError) -> CollectionInfo,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let place = try KeyringPlace(vaultID, paths, service, plainKinds, entropy, now)
        // Before the header is read: the other way round, a commit in between would look like a rollback.
        let seen = try place.anchor.read()
        let (path, header) = try place.findHeader()
        let collection = try describe(Self.collection(of: path))
        let events = try judge(header, place.position(header), seen, options)
        let isOld = events.contains { if case .stale = $0 { true } else { false } }
        let store = SecretServiceStore(
            place,
            collection,
            isReadOnly: options.readOnly || isOld,
            takesOldCopies: options.stale || options.acceptsRollback,
            events: events
        )
        guard !options.acceptsRollback, !store.isReadOnly else { return store }
        if events.contains(.anchorMissing) { try store.countAsRestored() } else { try store.settle(seen) }
        return store
    }

    /// Compares the vault with the newest place in its history that was seen here.
    private static func judge(
        _ header: KeyringHeader,
        _ found: Position,
        _ seen: AnchorText?,
        _ options: OpenOptions
    ) throws(StoreError) -> [StoreEvent] {
        guard let seen else {
            guard found.generation > 1 || found.epoch > 1 else { return [] }
            guard !options.requireAnchor else { throw .anchorRequired }
            return [.anchorMissing]
        }
        do {
            try header.judge(seen, at: found.generation)
            return []
        } catch {
            if options.acceptsRollback { return [] }
            guard options.stale else { throw error }
            return [.stale(found: found, expected: seen.position)]
        }
    }

    /// Finishes what was interrupted, and raises the anchor to what is there now.
    private func settle(_ seen: AnchorText?) throws(StoreError) {
        let known = try unlocking { () throws(StoreError) in try beginReading().1.known }
        if let seen, known.line.position <= seen.position { return }
        noting { () throws(StoreError) in try anchor.raise(to: known.anchor) }
    }

    /// The path of the collection that an item lies in.
    static func collection(of item: ItemPath) -> ItemPath {
        item.lastIndex(of: "/").map { String(item[..<$0]) } ?? item
    }
}

extension KeyringPlace {
    /// The header of the vault in whichever collection it lies, after unlocking it if it has to be.
    ///
    /// - Throws: `notFound`, `tampered(.head)`, `newerFormat`; `keyringLocked`, `promptDismissed`.
    func findHeader() throws(StoreError) -> (path: ItemPath, header: KeyringHeader) {
        do {
            return try findUnlockedHeader()
        } catch {
            guard error == .keyringLocked else { throw error }
        }
        let found = try service.find(codec.query(ItemNames.headerSchema))
        try service.unlock(Set((found.locked + found.unlocked).map(SecretServiceStore.collection)).sorted())
        return try findUnlockedHeader()
    }

    private func findUnlockedHeader() throws(StoreError) -> (path: ItemPath, header: KeyringHeader) {
        let found = try service.find(codec.query(ItemNames.headerSchema))
        guard !found.unlocked.isEmpty || found.locked.isEmpty else { throw .keyringLocked }
        return try Shelf.header(in: found.unlocked, service, codec)
    }

    /// Where the vault is in its history, as far as the lock file tells; else the ceiling.
    func position(_ header: KeyringHeader) throws(StoreError) -> Position {
        let top = Position(epoch: header.epoch, generation: header.ceiling)
        guard let line = try lockFile.shared().line, line.isClean, line.position.epoch == header.epoch else {
            return top
        }
        return min(line.position, top)
    }
}
