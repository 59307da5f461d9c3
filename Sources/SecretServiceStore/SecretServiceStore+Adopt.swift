internal import LocalState
package import RecordStore
package import VaultCrypto

extension SecretServiceStore {
    /// Makes a vault that has every record of another store, with its revisions, at a later position.
    ///
    /// The header goes first, if there is one, and comes last: a vault that is only half there is none. What an
    /// earlier try left is taken over where it is equal, and replaced where not. The anchor stays where it is, so
    /// the source goes on being the vault until `claim` is called.
    ///
    /// - Throws: `rollback` when the position is not beyond what was seen here; `newerRecord`; `corrupt` when a
    ///   record has a later revision than the position.
    package static func adopt(
        _ source: any RecordReader,
        vaultID: [UInt8],
        named name: String,
        position: Position,
        in collection: CollectionInfo,
        paths: KeyringPaths,
        items service: any ItemService,
        plainKinds: PlainKinds = .standard,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let place = try KeyringPlace(vaultID, paths, service, plainKinds, entropy, now)
        let seen = try place.anchor.read()
        if let seen, position < seen.position {
            throw .rollback(found: position, expected: seen.position)
        }
        // An earlier try may have come as far as the anchor: then its mark is the one to go on with.
        let mark = seen.flatMap { $0.position == position ? $0.tag : nil } ?? entropy.bytes(16)
        let header = try KeyringHeader(
            vaultID: vaultID,
            epoch: position.epoch,
            ceiling: position.generation,
            floor: source.floor,
            mark: mark
        ).bounded(at: position.generation, service)
        let store = SecretServiceStore(place, collection, isReadOnly: false, events: [])
        let held = try place.lockFile.exclusive()
        try store.clear()
        try store.take(source, position)
        try store.found(header, at: position.generation, named: name, isCopy: true, held)
        return store
    }

    /// Removes what makes items a vault, in every collection, and records in every other one.
    private func clear() throws(StoreError) {
        let (service, codec) = (shelf.service, shelf.codec)
        for schema in [ItemNames.headerSchema, ItemNames.redoSchema] {
            for path in try Self.unlockedPaths(codec.query(schema), service) { try service.delete(path) }
        }
        for path in try Self.unlockedPaths(codec.query(ItemNames.recordSchema), service)
        where Self.collection(of: path) != collection.path {
            try service.delete(path)
        }
    }

    /// Makes the records those of the source, and removes what is left over then.
    private func take(_ source: any RecordReader, _ position: Position) throws(StoreError) {
        var left: [ItemPath: ItemFacts] = [:]
        let paths = try shelf.paths(shelf.codec.query(nil as RecordKind?))
        for facts in try shelf.service.facts(of: paths) { left[facts.path] = facts }
        var named: [String: [ItemFacts]] = [:]
        for facts in left.values.sorted(by: { $0.path < $1.path }) {
            named[Self.name(facts.attributes), default: []].append(facts)
        }
        for info in try source.list(nil) {
            guard info.revision <= position.generation else { throw .corrupt }
            guard !info.isNewer, let record = try source.find(info.id) else { throw .newerRecord }
            let draft = try shelf.codec.draft(record.info, record.body)
            if let path = try taken(draft, named[Self.name(draft.attributes)] ?? []) {
                left[path] = nil
            } else {
                try shelf.confirm(draft, at: shelf.service.create(draft, in: collection.path))
            }
        }
        for path in left.keys.sorted() { try shelf.service.delete(path) }
    }

    /// The item that an earlier try made of a record, if it is just as it would be made now.
    private func taken(_ draft: ItemDraft, _ present: [ItemFacts]) throws(StoreError) -> ItemPath? {
        for facts in present {
            let isAlike =
                facts.label == draft.label
                && draft.attributes.allSatisfy { facts.attributes[$0.key] == $0.value }
                && (facts.attributes[ItemNames.meta] == nil) == (draft.attributes[ItemNames.meta] == nil)
            if isAlike, try shelf.holds(draft.secret, at: facts.path) { return facts.path }
        }
        return nil
    }

    private static func name(_ attributes: [String: String]) -> String {
        "\(attributes[ItemNames.kind] ?? "")/\(attributes[ItemNames.name] ?? "")"
    }
}
