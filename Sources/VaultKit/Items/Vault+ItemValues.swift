internal import RecordStore
internal import Secrets
internal import VaultCrypto
internal import VaultPolicy

extension Vault {
    /// Reads the values of items as they were at one moment, in the order of the request.
    ///
    /// A program on the bus gets only items that it may read, in open collections; the others are left out. If hsip
    /// itself asks for a missing item, the whole call is refused.
    ///
    /// - Throws: `ItemError.unknownItem`; `unknownVersion`; `inTrash`; `tooManyInCall`; `onlyByPeople` for a program that
    ///   asks for an earlier version.
    func itemValues(_ reading: ItemReading, for caller: Caller) throws(VaultError) -> [ItemValue] {
        guard reading.ids.count <= ItemReading.maximum else {
            throw .item(.tooManyInCall(limit: ItemReading.maximum))
        }
        guard reading.version == nil || caller.bus == nil else { throw .item(.onlyByPeople) }
        return try self.reading { reader in
            let transaction = try ItemTransaction(reader, now: now(), entropy: entropy)
            var (values, seen, size): ([ItemValue], Set<String>, Int) = ([], [], 0)
            for id in reading.ids where seen.insert(id).inserted {
                if let access = caller.bus {
                    guard access.mayRead(id), let known = try loadedItems(reader).index[id],
                        !items.closed.contains(known.collection)
                    else { continue }
                }
                let (record, content, _) = try transaction.open(id)
                guard record.removedAt == nil else { throw ItemError.inTrash }
                let number = reading.version ?? content.numbers.last ?? 0
                guard let value = content.value(of: number) else { throw ItemError.unknownVersion }
                size += value.count
                guard size <= ItemReading.longest || values.isEmpty else { break }
                values.append(
                    ItemValue(
                        place: ItemPlace(collection: record.collection, id: id),
                        contentType: record.contentType,
                        version: number,
                        value: value
                    )
                )
            }
            return values
        }
    }

    /// Lists the numbers of an item's versions, the present version last; only for hsip itself.
    func itemVersions(_ id: String) throws(VaultError) -> [UInt32] {
        try reading { reader in
            try ItemTransaction(reader, now: now(), entropy: entropy).open(id).content.numbers
        }
    }

    /// Returns the items that a program on the bus may read now, because it was just allowed to; hsip itself gets all.
    ///
    /// - Throws: `ItemError.tooManyInCall`.
    func grantedItems(_ ids: [String], for caller: Caller) throws(VaultError) -> [ItemPlace] {
        guard ids.count <= ItemChange.maximum else { throw .item(.tooManyInCall(limit: ItemChange.maximum)) }
        let loaded = try loadedItems()
        var seen: Set<String> = []
        return ids.compactMap { id in
            guard seen.insert(id).inserted, let record = loaded.index[id] else { return nil }
            if let access = caller.bus {
                guard access.mayRead(id), !items.closed.contains(record.collection) else { return nil }
            }
            return ItemPlace(collection: record.collection, id: id)
        }
    }

    /// Returns the key of an application for the portal: 64 bytes, made at the first request.
    ///
    /// - Parameters:
    ///   - application: the id, a valid name of the bus; empty for an application without an id.
    ///   - caller: the caller.
    /// - Returns: the key.
    /// - Throws: `ItemError.changedMeanwhile` if no verdict allows it; `badItem` for an id that is too long; `unreadable` if
    ///   the key may be in an unreadable record; `outOfMemory`; the errors of the limits.
    func applicationKey(of application: String, for caller: Caller) throws(VaultError) -> Secret {
        if let access = caller.bus, !access.mayHaveKey(of: application) { throw .item(.changedMeanwhile) }
        let (collection, owner) = (LoadedItems.portal, ProgramIdentity("flatpak:\(application)"))
        return try transact(ItemTransaction.self) { transaction in
            let loaded = try loadedItems(transaction.reader)
            let wanted = try Self.attributes([("app_id", application)])
            // Keys from GNOME Keyring or oo7 have another schema, or none.
            let named = try Self.attributes([("app_id", application), ("xdg:schema", collection)])
            let found = loaded.index.all.filter { record in
                // An item that another program stored is not accepted as a key: that program would know it.
                record.collection == loaded.defaultCollection
                    && (record.owner == nil || record.owner == owner)
                    && (record.attributes.isEqual(to: wanted) || record.attributes.isEqual(to: named))
            }
            // The application's own key is preferred, then the oldest key without an owner, which a later key must
            // not replace.
            let oldestFirst = found.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
            if let known = oldestFirst.first(where: { $0.owner != nil }) ?? oldestFirst.first {
                return try transaction.open(known.id).content.value
            }
            guard !loaded.isShort else { throw ItemError.unreadable }
            guard let value = try? Secret(entropy.secret(64)) else { throw ItemError.outOfMemory }
            var record = ItemRecord(
                id: try transaction.newID(),
                collection: loaded.defaultCollection,
                label: application.isEmpty ? "Application key" : "Application key for \(application)",
                attributes: named,
                owner: application.isEmpty ? nil : owner
            )
            record.contentType = "application/octet-stream"
            try transaction.add(record, try ItemContent(value, at: transaction.now))
            try loaded.requireRoom(for: transaction, by: caller)
            return value
        }
    }

    private static func attributes(_ pairs: [(String, String)]) throws -> ItemAttributes {
        try ItemAttributes(pairs.map { .init(name: Array($0.0.utf8), value: Array($0.1.utf8)) })
    }
}

extension ItemAttributes {
    /// Whether an item with these attributes is the key of an application.
    var isOfApplicationKey: Bool {
        let schemas = [LoadedItems.portal, "org.freedesktop.Secret.Generic"].map { Array($0.utf8) }
        return self["app_id"] != nil && pairs.count <= 2
            && pairs.allSatisfy { pair in
                pair.name == Array("app_id".utf8)
                    || pair.name == Array("xdg:schema".utf8) && schemas.contains(pair.value)
            }
    }
}

extension LoadedItems {
    /// The schema of application keys, as in the portal's other backends.
    static let portal = "org.freedesktop.portal.Secret"
}
