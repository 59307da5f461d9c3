internal import RecordStore
internal import Secrets
internal import VaultPolicy

/// The items of an open vault in memory; dropped at every lock, because no index may outlive it.
struct ItemMemory {
    /// The items and collections as of one commit; nil before the first read.
    var loaded: LoadedItems?
    /// Collections that are closed to programs on the bus.
    var closed: Set<String> = []
    /// The process that last stored each item's value, by item id.
    private var storers: [String: Storer] = [:]

    private struct Storer {
        let process: Process
        /// The commit of the value; after another commit the item may have changed.
        let revision: Revision
    }

    /// A process: its id and its start time.
    struct Process: Equatable {
        let pid: Int32
        let start: UInt64

        /// The process of a requester; nil if it is not known for certain.
        init?(_ requester: Requester) {
            guard let bus = requester.bus, bus.start > 0, requester.pid > 0 else { return nil }
            (pid, start) = (requester.pid, bus.start)
        }
    }

    /// Whether exactly the asking process stored the present value, and nobody has changed the item since.
    func isStored(_ record: ItemRecord, by requester: Requester) -> Bool {
        guard let process = Process(requester), let storer = storers[record.id] else { return false }
        return storer.process == process && storer.revision == record.revision && record.revision > 0
    }

    /// Remembers the process that stored an item's present value; nil for an unknown process.
    mutating func store(_ id: String, by requester: Requester?) {
        storers[id] = nil
        guard let process = requester.flatMap({ Process($0) }), let record = loaded?.index[id] else { return }
        storers[id] = Storer(process: process, revision: record.revision)
    }

    /// Whether a known process stored the present value of an item.
    func hasStorer(_ record: ItemRecord) -> Bool { storers[record.id]?.revision == record.revision }

    /// Keeps the known processes of some items after a commit that changed only their readers and owners.
    ///
    /// - Parameters:
    ///   - ids: items whose present values had a known process in the snapshot of that commit.
    ///   - before: the memory before the commit.
    mutating func keepStorers(of ids: [String], as before: ItemMemory) {
        for id in ids {
            guard let storer = before.storers[id], let record = loaded?.index[id] else { continue }
            storers[id] = Storer(process: storer.process, revision: record.revision)
        }
    }

    /// Forgets the processes of items that are gone.
    mutating func dropStorers() { storers = storers.filter { loaded?.index[$0.key] != nil } }
}

/// The items and collections of one commit.
struct LoadedItems {
    /// The number of the commit.
    var generation: UInt64
    /// The items outside the trash.
    private(set) var index = ItemIndex([])
    /// The items in the trash.
    private(set) var removed: [String: ItemRecord] = [:]
    /// The collections; `login` exists even without a record.
    private(set) var collections: [String: CollectionRecord] = [:]
    /// Whether some records are unreadable, so that searches may miss items.
    private(set) var isShort = false
    /// The number of items in each collection; nil for none.
    private(set) var counts: [String: Int] = [:]
    /// The items of each program and those without an owner, without the trash; nil for none.
    private(set) var owned: [ProgramIdentity?: ItemShare] = [:]

    /// The collection that always exists, and that `default` means until a person changes that.
    static let login = "login"

    init(_ reader: any RecordReader) throws {
        generation = reader.generation
        for (kind, isItem) in [(ItemRecord.kind, true), (CollectionRecord.kind, false)] {
            let survey = try reader.survey(try RecordKind(kind))
            if !survey.damaged.isEmpty { isShort = true }
            for info in survey.records {
                if isItem { put(item: info) } else { put(collection: info) }
            }
        }
    }

    /// The record of an item, also from the trash; nil if there is none.
    subscript(id: String) -> ItemRecord? { index[id] ?? removed[id] }

    /// The id of the collection that `default` names.
    var defaultCollection: String { collections.values.first(where: \.isDefault)?.id ?? Self.login }

    /// Whether a collection exists.
    func hasCollection(_ id: String) -> Bool { id == Self.login || collections[id] != nil }

    /// Applies a written record of a commit; nil for a removed record.
    mutating func take(_ id: RecordID, _ info: RecordInfo?) {
        switch id.kind.rawValue {
        case ItemRecord.kind:
            drop(item: id.name)
            if let info { put(item: info) }
        case CollectionRecord.kind:
            collections[id.name] = nil
            if let info { put(collection: info) }
        default: break
        }
    }

    private mutating func put(item info: RecordInfo) {
        guard !info.isNewer, let record = try? ItemRecord(info) else {
            isShort = true
            return
        }
        guard record.removedAt == nil else {
            removed[record.id] = record
            return
        }
        index.put(record)
        counts[record.collection, default: 0] += 1
        share(of: record.owner, by: ItemShare(record))
    }

    private mutating func drop(item id: String) {
        removed[id] = nil
        guard let old = index[id] else { return }
        index.remove(id)
        counts[old.collection] = counts[old.collection].flatMap { $0 > 1 ? $0 - 1 : nil }
        share(of: old.owner, by: .none - ItemShare(old))
    }

    private mutating func share(of owner: ProgramIdentity?, by change: ItemShare) {
        let share = owned[owner, default: .none] + change
        owned[owner] = share == .none ? nil : share
    }

    private mutating func put(collection info: RecordInfo) {
        guard !info.isNewer, let record = try? CollectionRecord(info) else {
            isShort = true
            return
        }
        collections[record.id] = record
    }
}
