internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// The named records of one shared kind in a sync; each is found by its identity and written under a free name.
struct SharedRecords<Item: SharedRecord>: SharedCollection {
    var records: NamedRecordTransaction<Item.Content>
    /// The present names of the records, by identity.
    private(set) var names: [ObjectID: String] = [:]
    /// The identities of the records, by name.
    private(set) var holders: [String: ObjectID] = [:]
    /// The records that this transaction wrote, and whether they equal the log's state.
    private(set) var written: [ObjectID: Bool] = [:]
    /// Records of a newer program, which this program neither shares nor replaces.
    private(set) var newer: Set<ObjectID> = []
    /// Records that were in the trash before this transaction.
    private(set) var removed: Set<ObjectID> = []
    private var revisions: [ObjectID: Revision] = [:]
    /// The expected revision of the records that this transaction writes.
    ///
    /// If another commit comes first, the next step only compares these records again.
    private let nextRevision: Revision

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        records = try NamedRecordTransaction(reader, now: now, entropy: entropy)
        nextRevision = reader.generation + 1
        let infos = try records.list()
        names.reserveCapacity(infos.count)
        holders.reserveCapacity(infos.count)
        revisions.reserveCapacity(infos.count)
        for info in infos {
            guard let id = Item.id(of: info) else { continue }
            call(id, info.id.name)
            revisions[id] = info.revision
            if info.isNewer { newer.insert(id) }
            if info.attributes.removedAt != nil { removed.insert(id) }
        }
    }

    var now: UInt64 { records.now }
    var isWhole: Bool { records.isWhole }

    func ids(where isWanted: (ObjectID) throws -> Bool) rethrows -> [ObjectID] {
        try names.keys.filter(isWanted).map { ($0, names[$0] ?? "") }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    func has(_ id: ObjectID) -> Bool { names[id] != nil }
    func revision(of id: ObjectID) -> Revision { written[id] == nil ? revisions[id] ?? 0 : nextRevision }

    func isUnchanged(_ id: ObjectID, _ row: LogIndex.Row) -> Bool {
        written[id] ?? (revisions[id] == row.revision)
    }

    func find(_ id: ObjectID) throws -> Item? {
        guard !newer.contains(id), let name = names[id], let content = try content(name) else { return nil }
        return Item(id, name, created: try records.created(of: name), content)
    }

    /// The content of a record; nil if this program cannot read it.
    private func content(_ name: String) throws -> Item.Content? {
        do { return try records.find(name) } catch {
            switch VaultError(error) {
            case .store(.newerRecord), .store(.tampered(.record)): return nil
            case .store: throw error
            default: return nil
            }
        }
    }

    mutating func write(
        _ item: Item,
        _ row: LogIndex.Row,
        _ arrival: SharedArrival,
        _ log: StoredLog,
        _ report: inout SyncTransaction.Report
    ) throws -> Revision? {
        var item = item
        if let holder = holders[item.name], holder != item.id {
            if log.index[holder] == nil, let joined = try joined(holder, with: item) {
                item = joined
            } else if try !makeWay(holder, isSaid: !arrival.objects.contains(holder), arrival, &report) {
                return nil
            }
        } else if names[item.id] != item.name, try !records.isFree(item.name) {
            // A damaged record, or a record of a newer program, has the name.
            return nil
        }
        if let name = names[item.id] {
            try records.move(name, to: item.name, as: item.content, created: item.created)
        } else {
            try records.add(item.content, named: item.name, uid: item.id.bytes, created: item.created)
        }
        call(item.id, item.name)
        let isSaid = try item.isSaid(by: row)
        written[item.id] = isSaid
        return isSaid ? nextRevision : 0
    }

    /// Joins a record of this machine that is not in the log with the log's record of its name; nil if they stay separate.
    private mutating func joined(_ holder: ObjectID, with item: Item) throws -> Item? {
        guard let mine = try find(holder), let joined = try mine.joined(with: item), joined.name == item.name
        else { return nil }
        try records.erase(item.name)
        call(holder, nil)
        return joined
    }

    /// Renames a record of this machine; returns false if this program cannot read it.
    private mutating func makeWay(
        _ holder: ObjectID,
        isSaid: Bool,
        _ arrival: SharedArrival,
        _ report: inout SyncTransaction.Report
    ) throws -> Bool {
        guard !newer.contains(holder), let name = names[holder], let mine = try content(name) else {
            return false
        }
        let free = try records.freeName(like: name)
        try records.move(name, to: free, as: mine)
        if isSaid { changed(holder, to: free) } else { call(holder, free) }
        if isSaid, mine.removedAt == nil {
            report.renamed[name] = free
            report.note(.renamed, Item.kind.rawValue, name, other: free, arrival, now)
        }
        return true
    }

    /// Renames records of this machine whose names belong to objects of the log that are not here.
    mutating func makeWay(for log: StoredLog, _ report: inout SyncTransaction.Report) throws {
        guard !holders.isEmpty else { return }
        let others = log.index.rows { id, row in
            row.line.kind == Item.kind.rawValue && holders[row.line.name].map { $0 != id } == true
        }
        for (id, row) in others {
            guard let holder = holders[row.line.name], holder != id, try find(holder) != nil else { continue }
            // A record that was renamed or deleted here gives up its name in the log with the next change.
            let isGone = names[id] == nil && !row.isWithheld
            guard try log.kept[id] != nil || !isGone && find(id) == nil else { continue }
            _ = try makeWay(holder, isSaid: true, SharedArrival(), &report)
        }
    }

    /// Writes a changed record of this machine.
    mutating func rewrite(_ item: Item) throws {
        try records.replace(item.name, by: item.content)
        changed(item.id, to: item.name)
    }

    /// Exchanges the names of two records.
    mutating func swap(_ first: Item, _ second: Item) throws {
        let free = try records.freeName(like: first.name)
        try records.move(first.name, to: free, as: first.content)
        try records.move(second.name, to: first.name, as: second.content)
        try records.move(free, to: second.name, as: first.content)
        changed(first.id, to: free)
        changed(second.id, to: first.name)
        changed(first.id, to: second.name)
    }

    /// Writes a new content into a record.
    mutating func rewrite(_ id: ObjectID, _ name: String, _ content: Item.Content) throws {
        try records.replace(name, by: content)
        changed(id, to: name)
    }

    private mutating func changed(_ id: ObjectID, to name: String) {
        call(id, name)
        written[id] = false
    }

    mutating func setAside(
        _ item: Item,
        _ arrival: SharedArrival,
        _ report: inout SyncTransaction.Report
    ) throws {
        let free = try records.freeName(like: item.name)
        try records.erase(item.name)
        try records.add(item.content, named: free)
        call(item.id, nil)
        report.renamed[item.name] = free
        report.note(.renamed, Item.kind.rawValue, item.name, other: free, arrival, now)
    }

    mutating func remove(_ id: ObjectID) throws {
        guard let name = names[id] else { return }
        let content = try records.open(name, inTrash: true)
        if content.removedAt == nil {
            try records.remove(name) { content in Item.prepareRemoval(&content) }
        } else if records.trash.isOver(content.removedAt) {
            try records.erase(name)
            call(id, nil)
        }
    }

    private mutating func call(_ id: ObjectID, _ name: String?) {
        let old = if let name { names.updateValue(name, forKey: id) } else { names.removeValue(forKey: id) }
        if let old, holders[old] == id { holders[old] = nil }
        if let name { holders[name] = id }
    }
}
