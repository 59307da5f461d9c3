package import RecordStore
package import VaultCrypto

extension SecretServiceStore {
    /// Makes a vault that has every record of another store, with its revisions, at a later position.
    ///
    /// The keyring's items of this vault are removed first, and the root is written last: without a root an
    /// incomplete vault does not count. The anchor stays unchanged, so the source remains the vault until
    /// `claim` is called.
    ///
    /// - Throws: `rollback` if the position is not beyond the newest seen here; `newerRecord`; `corrupt` if a record
    ///   has a later revision than the position.
    package static func adopt(
        _ source: any RecordReader,
        vaultID: [UInt8],
        named name: String,
        position: Position,
        in collection: CollectionInfo,
        paths: KeyringPaths,
        items service: any ItemService,
        natives: NativeValues = .none,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let place = try KeyringPlace(vaultID, paths, service, natives, entropy, now)
        let seen = try place.anchor.read()
        if let seen, position < seen.position {
            throw .rollback(found: position, expected: seen.position)
        }
        let store = SecretServiceStore(place, collection, isReadOnly: false, events: [])
        let held = try place.lockFile.exclusive()
        let records = try records(of: source, position.generation)
        var next = NextRoot(
            root: Root(
                vaultID: vaultID,
                keys: try MarkKeys.make(entropy),
                epoch: position.epoch,
                generation: position.generation,
                floor: source.floor,
                // An earlier attempt may have raised the anchor already: then its mark is used again.
                mark: seen.flatMap { $0.position == position ? $0.tag : nil } ?? entropy.bytes(16)
            )
        )
        guard source.floor <= position.generation else { throw .corrupt }
        try store.fill(&next, records)
        try erase(vaultID: vaultID, items: service)
        place.rootCopy.remove()
        try store.items.make(next.made)
        let found = try store.items.make(next.root, named: name)
        store.keepCopy(of: found)
        do throws(StoreError) {
            try store.copies.publish(found.root.pending, found.root)
            store.settle(found, held)
        } catch {
            // The first program that writes makes the copies.
            try? held.write(found.root.line.dirty)
        }
        return store
    }

    /// Puts records into pages of a root without pages; more than a few copies are made later.
    func fill(_ next: inout NextRoot, _ records: [(RecordInfo, Secret)]) throws(StoreError) {
        var (entries, bodies): ([RecordID: Entry], [Page.Draft]) = ([:], [])
        for (info, body) in records {
            entries[info.id] = .record(try stored(info, body, next.root.keys, &bodies))
        }
        next = try next.root.next(entries, entropy) { _ in ReadPages() }
        next.made += bodies
        next.root.records = UInt64(entries.count)
        let shown = records.filter { copies.copy($0.0, $0.1)?.draft != nil }.map(\.0.id)
        next.root.pending = shown.count > Copies.maximum ? [] : shown.sorted()
    }

    /// Every record of a source; none may be later than `last`.
    static func records(
        of source: any RecordReader,
        _ last: Revision
    ) throws(StoreError) -> [(RecordInfo, Secret)] {
        var records: [(RecordInfo, Secret)] = []
        for info in try source.list(nil) {
            guard info.revision <= last else { throw .corrupt }
            guard !info.isNewer, let record = try source.find(info.id) else { throw .newerRecord }
            records.append((record.info, record.body))
        }
        return records
    }
}
