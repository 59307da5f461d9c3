internal import RecordStore
internal import Secrets
internal import VaultCrypto
internal import VaultPolicy

/// The items and collections of one snapshot with the changes made so far; each step sees the earlier ones.
struct ItemTransaction: RecordTransaction {
    /// Unix seconds.
    let now: UInt64
    let reader: any RecordReader
    let entropy: Entropy
    private var plans: [RecordID: Plan] = [:]

    private enum Plan {
        case put(RecordDraft, ItemRecord?)
        case erase
    }

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        (self.reader, self.now, self.entropy) = (reader, now, entropy)
    }

    /// The changed items by id; nil for an erased one.
    var items: [(id: String, record: ItemRecord?)] {
        plans.compactMap { id, plan in
            guard id.kind.rawValue == ItemRecord.kind else { return nil }
            if case .put(_, let record?) = plan { return (id.name, record) }
            return (id.name, nil)
        }
    }

    /// An item with its values, as changed so far.
    ///
    /// - Throws: `ItemError.unknownItem`; the errors of reading.
    func open(_ id: String) throws -> (record: ItemRecord, content: ItemContent, end: UInt64) {
        let recordID = try Self.id(id)
        switch plans[recordID] {
        case .put(let draft, let record?):
            return (record, try ItemContent(content: draft.body), draft.expires)
        case .put(_, nil), .erase: throw ItemError.unknownItem
        case nil:
            guard let found = try reader.find(recordID) else { throw ItemError.unknownItem }
            let content = try ItemContent(content: found.body)
            return (try ItemRecord(found.info), content, found.info.expires)
        }
    }

    /// Adds an item under a free id; `created` is in Unix seconds, nil for now.
    mutating func add(_ record: ItemRecord, _ content: ItemContent, created: UInt64? = nil) throws {
        try plan(record, content, expires: 0, created: created ?? now)
    }

    /// Replaces an existing item.
    ///
    /// If value, label, attributes and content type stay, the item keeps its time of change. Searches sort by that time,
    /// and programs use the first item that a search finds.
    mutating func put(_ record: ItemRecord, _ content: ItemContent, end: UInt64) throws {
        let old = try open(record.id)
        let isSame =
            old.record.label == record.label && old.record.attributes == record.attributes
            && old.record.contentType == record.contentType
            && ConstantTime.equal(old.content.value, content.value)
        var record = record
        // An item written earlier in the same transaction gets the time of the commit.
        let isFirst = plans[try Self.id(record.id)] == nil
        record.changed = isSame && isFirst ? old.record.lastChange : nil
        try plan(record, content, expires: end)
    }

    /// Replaces an existing item, and keeps its values.
    mutating func replace(_ record: ItemRecord) throws {
        let (_, content, end) = try open(record.id)
        try put(record, content, end: end)
    }

    /// Erases an item for good.
    mutating func erase(_ id: String) throws { plans[try Self.id(id)] = .erase }

    /// Adds or replaces a collection.
    mutating func put(_ collection: CollectionRecord) throws {
        let id = try RecordID(CollectionRecord.kind, collection.id)
        let attributes = try collection.recordAttributes()
        guard let body = try? Secret(copying: [1]) else { throw ItemError.outOfMemory }
        plans[id] = .put(
            RecordDraft(id: id, label: collection.label, attributes: attributes, body: body),
            nil
        )
    }

    /// Erases a collection.
    mutating func erase(collection id: String) throws {
        plans[try RecordID(CollectionRecord.kind, id)] = .erase
    }

    /// A free id of 16 hex digits.
    func newID() throws -> String {
        for _ in 0..<8 {
            let id = Hex.encode(entropy.bytes(8))
            let recordID = try Self.id(id)
            if plans[recordID] == nil, !(try reader.has(recordID)) { return id }
        }
        throw ItemError.badItem
    }

    func changes() throws -> ChangeSet? {
        guard !plans.isEmpty else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        for (id, plan) in plans.sorted(by: {
            ($0.key.kind.rawValue, $0.key.name) < ($1.key.kind.rawValue, $1.key.name)
        }) {
            let info = try reader.info(id)
            switch plan {
            case .put(let draft, _): changes.put(draft, expecting: info?.revision ?? 0)
            case .erase: if let info { changes.delete(id, expecting: info.revision) }
            }
        }
        return changes
    }

    private mutating func plan(
        _ record: ItemRecord,
        _ content: ItemContent,
        expires: UInt64,
        created: UInt64? = nil
    ) throws {
        let body = try content.content()
        let record = record.measured(by: body)
        var draft = RecordDraft(
            id: try RecordID(ItemRecord.kind, record.id),
            label: record.recordLabel,
            attributes: try record.recordAttributes(),
            expires: expires,
            body: body
        )
        if let created { draft.created = created * 1_000 }
        plans[draft.id] = .put(draft, record)
    }

    private static func id(_ id: String) throws -> RecordID {
        guard ItemRecord.isID(id) else { throw ItemError.unknownItem }
        return try RecordID(ItemRecord.kind, id)
    }
}

extension ItemRecord {
    /// The record with the size of its body.
    func measured(by body: Secret) -> ItemRecord {
        var record = self
        record.bytes = body.count > Self.leastBytes ? body.count : nil
        return record
    }
}

extension ItemError {
    init(_ error: ServiceError) {
        switch error {
        case .valueTooLong(let limit): self = .valueTooLong(limit: limit)
        case .outOfMemory: self = .outOfMemory
        case .newerItem: self = .unreadable
        default: self = .badItem
        }
    }
}
