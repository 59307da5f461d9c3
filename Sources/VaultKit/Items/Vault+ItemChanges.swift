internal import RecordStore
internal import Secrets
internal import VaultCrypto
internal import VaultPolicy

extension Vault {
    /// Stores an item; replaces an item with equal attributes if `making.replaces`.
    ///
    /// A replaced item keeps its id and creation time. It keeps owner and readers too, unless another program owns
    /// it: then the caller becomes the owner, because the value is the caller's.
    ///
    /// - Throws: `ItemError.unknownCollection`; `closed`; `tooManyItems`; `valueTooLong`; `badItem`; `changedMeanwhile` if
    ///   the verdict was about another item than the item to replace; `locked` if an unknown program would replace an item
    ///   that it does not see.
    func makeItem(_ making: ItemMaking, for caller: Caller) throws(VaultError) -> ItemOutcome {
        try Self.check(making.value)
        let owner = caller.bus?.identity
        let outcome = try transact(ItemTransaction.self) { (transaction) -> ItemOutcome in
            let loaded = try loadedItems(transaction.reader)
            try requireOpen(making.collection, loaded, for: caller)
            if let old = replaced(by: making, in: loaded, for: caller.bus?.requester) {
                if let access = caller.bus, !access.mayChange(old.id) { throw ItemError.changedMeanwhile }
                var change = ItemChange()
                // Another script of a shared tool may have stored the item, and people recognise items by their label.
                if !isOfAnotherScript(old, caller) { change.label = making.label }
                change.attributes = making.attributes
                change.value = making.value
                change.contentType = making.contentType
                try Self.apply(change, to: old.id, by: owner, &transaction)
                try loaded.requireRoom(for: transaction, by: caller)
                return ItemOutcome(place: .init(collection: old.collection, id: old.id), isNew: false)
            }
            // The program may have made the hidden item without an owner, and must not add a second item beside it.
            if making.replaces, let requester = caller.bus?.requester,
                let hidden = loaded.index.replaced(by: making.attributes, in: making.collection, for: nil),
                isOfAnother(hidden.record, requester)
            {
                throw StoreError.locked
            }
            try Self.requireOwner(owner, of: making.attributes, for: caller)
            let place = try Self.add(making, owner: owner, &transaction)
            try loaded.requireRoom(for: transaction, by: caller)
            try Self.purge(loaded, &transaction)
            return ItemOutcome(place: place, isNew: true)
        }
        items.store(outcome.place.id, by: caller.bus?.requester)
        return outcome
    }

    /// Changes items in one commit.
    ///
    /// - Throws: `ItemError.unknownItem`; `inTrash`; `closed`; `onlyByPeople`; `tooManyInCall`; `changedMeanwhile`.
    func changeItems(_ ids: [String], _ change: ItemChange, for caller: Caller) throws(VaultError)
        -> [ItemView]
    {
        guard ids.count <= ItemChange.maximum else { throw .item(.tooManyInCall(limit: ItemChange.maximum)) }
        guard change.value == nil || ids.count == 1 else { throw .item(.tooManyInCall(limit: 1)) }
        guard !change.isForPeople || caller.bus == nil else { throw .item(.onlyByPeople) }
        if let value = change.value { try Self.check(value) }
        let ids = Self.once(ids)
        var stored: [String] = []
        try transact(ItemTransaction.self) { transaction in
            let loaded = try loadedItems(transaction.reader)
            // If a process only relabels its own item, it still counts as the process that stored the value.
            stored = ids.filter { id in
                guard change.value == nil else { return true }
                guard let requester = caller.bus?.requester, let record = loaded.index[id] else {
                    return false
                }
                return items.isStored(record, by: requester)
            }
            for id in ids {
                try requireChange(of: id, loaded, for: caller)
                if let attributes = change.attributes, loaded.index[id]?.attributes != attributes {
                    try Self.requireOwner(loaded.index[id]?.owner, of: attributes, for: caller)
                }
                try Self.apply(change, to: id, by: caller.bus?.identity, &transaction)
            }
            // A change by a person may exceed the limits of a program.
            if change.addsBytes { try loaded.requireRoom(for: transaction, by: caller) }
        }
        for id in stored { items.store(id, by: caller.bus?.requester) }
        return try views(ids, for: caller)
    }

    /// Moves items to the trash, which keeps them for 30 days, and at most 1,000 of them.
    ///
    /// - Throws: the errors of `changeItems`.
    func removeItems(_ ids: [String], for caller: Caller) throws(VaultError) -> [ItemPlace] {
        guard ids.count <= ItemChange.maximum else { throw .item(.tooManyInCall(limit: ItemChange.maximum)) }
        let ids = Self.once(ids)
        return try transact(ItemTransaction.self) { transaction in
            let loaded = try loadedItems(transaction.reader)
            for id in ids { try requireChange(of: id, loaded, for: caller) }
            return try Self.remove(ids, loaded, for: caller, &transaction)
        }
    }

    /// Restores items from the trash; items that are not in the trash stay as they are.
    ///
    /// - Throws: `ItemError.unknownItem`; `onlyByPeople`; `tooManyItems`; `tooManyInCall`.
    func restoreItems(_ ids: [String], for caller: Caller) throws(VaultError) -> [ItemView] {
        guard ids.count <= ItemChange.maximum else { throw .item(.tooManyInCall(limit: ItemChange.maximum)) }
        guard caller.bus == nil else { throw .item(.onlyByPeople) }
        let ids = Self.once(ids)
        try transact(ItemTransaction.self) { transaction in
            let loaded = try loadedItems(transaction.reader)
            for id in ids {
                var (record, content, end) = try transaction.open(id)
                guard record.removedAt != nil else { continue }
                (record.removedAt, content.removedAt) = (nil, nil)
                try transaction.put(record, content, end: end)
            }
            try loaded.requireRoom(for: transaction, by: caller)
        }
        return try views(ids, for: caller)
    }

    // MARK: Steps

    /// Whether the caller is a script of a shared tool, such as an interpreter, and another process stored the item.
    private func isOfAnotherScript(_ record: ItemRecord, _ caller: Caller) -> Bool {
        guard let requester = caller.bus?.requester, let program = requester.bus?.identity else {
            return false
        }
        return SharedTools.contains(program) && !items.isStored(record, by: requester)
    }

    static func check(_ value: Secret) throws(VaultError) {
        let limit = ItemLimits.value
        guard value.count <= limit else { throw .item(.valueTooLong(limit: limit)) }
    }

    /// Forbids a program on the bus to store an application key without an owner.
    ///
    /// The program that made the key would know it. Imports may do it.
    private static func requireOwner(
        _ owner: ProgramIdentity?,
        of attributes: ItemAttributes,
        for caller: Caller
    ) throws(VaultError) {
        guard caller.bus != nil, owner == nil, attributes.isOfApplicationKey else { return }
        throw .item(.onlyByPeople)
    }

    /// Throws `unknownCollection` for a missing collection, and `closed` to a program on the bus for a closed one.
    func requireOpen(_ collection: String, _ loaded: LoadedItems, for caller: Caller) throws(VaultError) {
        guard loaded.hasCollection(collection) else { throw .item(.unknownCollection) }
        guard caller.bus == nil || !items.closed.contains(collection) else { throw .item(.closed) }
    }

    /// Throws if a program on the bus may not change the item: it does not see it, or no verdict allows the change.
    private func requireChange(
        of id: String,
        _ loaded: LoadedItems,
        for caller: Caller
    ) throws(VaultError) {
        guard let access = caller.bus else { return }
        guard let record = loaded.index[id], isSeen(record, by: access.requester) else {
            throw .item(.unknownItem)
        }
        guard !items.closed.contains(record.collection) else { throw .item(.closed) }
        guard access.mayChange(id) else { throw .item(.changedMeanwhile) }
    }

    /// Adds an item to a transaction.
    ///
    /// - Parameters:
    ///   - making: the item.
    ///   - owner: the program that makes the item; nil if no program owns it.
    ///   - created: creation time of the item, Unix seconds; nil for now.
    ///   - valueFrom: time of its value, Unix seconds; nil for now.
    ///   - transaction: the transaction that gets the item.
    /// - Returns: collection and id of the new item.
    /// - Throws: `VaultError.item`; `store`.
    static func add(
        _ making: ItemMaking,
        owner: ProgramIdentity?,
        created: UInt64? = nil,
        valueFrom: UInt64? = nil,
        _ transaction: inout ItemTransaction
    ) throws -> ItemPlace {
        var record = ItemRecord(
            id: try transaction.newID(),
            collection: making.collection,
            label: making.label,
            attributes: making.attributes,
            owner: owner
        )
        record.contentType = Self.kept(making.contentType)
        let content = try ItemContent(making.value, at: valueFrom ?? transaction.now)
        try transaction.add(record, content, created: created)
        return ItemPlace(collection: record.collection, id: record.id)
    }

    /// Changes one item for a program, or for hsip itself if `program` is nil.
    static func apply(
        _ change: ItemChange,
        to id: String,
        by program: ProgramIdentity?,
        _ transaction: inout ItemTransaction
    ) throws {
        var (record, content, end) = try transaction.open(id)
        guard record.removedAt == nil else { throw ItemError.inTrash }
        if let label = change.label { record.label = label }
        if let attributes = change.attributes { record.attributes = attributes }
        if let value = change.value {
            let isSame = program != nil && record.writer == program
            if try content.set(value, at: transaction.now, isSameWriter: isSame) {
                record.writer = program
            }
            record.contentType = Self.kept(change.contentType)
            // The former owner has no right to another program's value.
            if let program, record.owner != nil, record.owner != program {
                (record.owner, record.readers) = (program, [])
            }
        }
        switch change.owner {
        case .nobody: record.owner = nil
        case .program(let owner): record.owner = owner
        case nil: break
        }
        for reader in change.newReaders where !record.readers.contains(reader) {
            record.readers.append(reader)
        }
        record.readers.removeAll { change.formerReaders.contains($0) }
        guard record.readers.count <= ItemRecord.maximumReaders else {
            throw ItemError.tooManyReaders(limit: ItemRecord.maximumReaders)
        }
        if let expires = change.expires {
            guard expires <= ItemLimits.latestEnd else { throw ItemError.badItem }
            end = expires * 1_000
        }
        try transaction.put(record, content, end: end)
    }

    /// Moves items to the trash in a transaction.
    ///
    /// - Throws: `inTrash` for an item that is there already.
    static func remove(
        _ ids: [String],
        _ loaded: LoadedItems,
        for caller: Caller,
        _ transaction: inout ItemTransaction
    ) throws -> [ItemPlace] {
        let time = TrashPolicy(transaction.reader, now: transaction.now).removalTime
        var places: [ItemPlace] = []
        for id in ids {
            var (record, content, end) = try transaction.open(id)
            guard record.removedAt == nil else { throw ItemError.inTrash }
            (record.removedAt, content.removedAt) = (time, time)
            try transaction.put(record, content, end: end)
            places.append(ItemPlace(collection: record.collection, id: id))
        }
        try purge(loaded, making: ids, isByProgram: caller.bus != nil, &transaction)
        return places
    }

    /// Erases items that were in the trash too long, and the oldest above `ItemLimits.removed`.
    ///
    /// Above that limit, only items of the owners of `added` are erased, so that no program empties the trash of another.
    /// A program's removals are also limited to `removedBytes` per owner. Above `ItemLimits.bytes` for all owners together,
    /// the oldest items of the largest owner are erased first.
    static func purge(
        _ loaded: LoadedItems,
        making added: [String] = [],
        isByProgram: Bool = false,
        _ transaction: inout ItemTransaction
    ) throws {
        let policy = TrashPolicy(transaction.reader, now: transaction.now)
        let old = loaded.removed.values.sorted { ($0.removedAt ?? 0, $0.id) < ($1.removedAt ?? 0, $1.id) }
        let owners = Set(added.map { loaded.index[$0]?.owner })
        var surplus = old.count + added.count - ItemLimits.removed
        var weights: [ProgramIdentity?: Int] = [:]
        for record in old + added.compactMap({ loaded.index[$0] }) where isByProgram {
            weights[record.owner, default: 0] += record.weight
        }
        var kept: [ProgramIdentity: [ItemRecord]] = [:]
        for record in old {
            let isHeavy = weights[record.owner, default: 0] > ItemLimits.removedBytes
            let isTooMuch = (surplus > 0 || isHeavy) && owners.contains(record.owner)
            guard isTooMuch || policy.isOver(record.removedAt) else {
                if let owner = record.owner { kept[owner, default: []].append(record) }
                continue
            }
            try transaction.erase(record.id)
            surplus -= 1
            weights[record.owner, default: 0] -= record.weight
        }
        // Items without an owner are limited per program above; a person removed the others.
        weights[nil] = nil
        var weight = weights.values.reduce(0, +)
        while weight > ItemLimits.bytes,
            let owner = kept.keys.max(by: { weights[$0, default: 0] < weights[$1, default: 0] }),
            let record = kept[owner]?.removeFirst()
        {
            try transaction.erase(record.id)
            weight -= record.weight
            weights[owner, default: 0] -= record.weight
            if kept[owner]?.isEmpty == true { kept[owner] = nil }
        }
    }

    private static func kept(_ contentType: String?) -> String? {
        contentType == "text/plain" ? nil : contentType
    }

    private static func once(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }

    private func views(_ ids: [String], for caller: Caller) throws(VaultError) -> [ItemView] {
        try itemViews(Array(ids.prefix(ItemView.maximum)), for: caller)
    }
}
