internal import RecordStore
internal import Secrets
internal import VaultPolicy

/// What an open vault knows of items without reading: it is gone when the vault is locked, as no index outlives a lock.
struct ItemMemory {
    /// The items and collections as of one commit; nil before the first look at them.
    var loaded: LoadedItems?
    /// Collections that are closed for programs on the bus.
    var closed: Set<String> = []
    /// The processes that wrote items last, by the ids of those.
    private var storers: [String: Storer] = [:]

    private struct Storer {
        let process: Process
        /// The commit: where another one follows, the item is no longer as the process left it.
        let revision: Revision
    }

    /// A process: its number, and when it began.
    struct Process: Equatable {
        let pid: Int32
        let start: UInt64

        /// The process that asks; nil where that is not known for certain.
        init?(_ requester: Requester) {
            guard let bus = requester.bus, bus.start > 0, requester.pid > 0 else { return nil }
            (pid, start) = (requester.pid, bus.start)
        }
    }

    /// Whether the very process that asks stored the present value, and nobody has changed the item since.
    func isStored(_ record: ItemRecord, by requester: Requester) -> Bool {
        guard let process = Process(requester), let storer = storers[record.id] else { return false }
        return storer.process == process && storer.revision == record.revision && record.revision > 0
    }

    /// Remembers which process stored the value that an item has now; nil is one that is not known.
    mutating func store(_ id: String, by requester: Requester?) {
        storers[id] = nil
        guard let process = requester.flatMap({ Process($0) }), let record = loaded?.index[id] else { return }
        storers[id] = Storer(process: process, revision: record.revision)
    }

    /// Whether a process that is known stored the present value of an item.
    func hasStorer(_ record: ItemRecord) -> Bool { storers[record.id]?.revision == record.revision }

    /// Remembers of some items what was known before a commit that changed nothing but who may have them.
    ///
    /// - Parameters:
    ///   - ids: items that had their storer in the very snapshot on which the commit was made.
    ///   - before: what was known.
    mutating func keepStorers(of ids: [String], as before: ItemMemory) {
        for id in ids {
            guard let storer = before.storers[id], let record = loaded?.index[id] else { continue }
            storers[id] = Storer(process: storer.process, revision: record.revision)
        }
    }

    /// Forgets those of items that are no longer there.
    mutating func dropStorers() { storers = storers.filter { loaded?.index[$0.key] != nil } }
}

/// The items and collections of one commit.
struct LoadedItems {
    /// The number of the commit.
    var generation: UInt64
    /// The items that are not in the trash.
    private(set) var index = ItemIndex([])
    /// Those in the trash.
    private(set) var removed: [String: ItemRecord] = [:]
    /// The collections; `login` is among them without a record, too.
    private(set) var collections: [String: CollectionRecord] = [:]
    /// Whether there are records that cannot be read: then nothing that is found is everything there is.
    private(set) var isShort = false
    /// How many items each collection has; nil for none.
    private(set) var counts: [String: Int] = [:]
    /// What each program owns, and what is nobody's, those in the trash left out; nil for nothing.
    private(set) var owned: [ProgramIdentity?: ItemShare] = [:]

    /// The collection that is always there, and where `default` leads until a person says otherwise.
    static let login = "login"

    init(_ reader: any RecordReader) throws(VaultError) {
        generation = reader.generation
        do throws(StoreError) {
            for (kind, isItem) in [(ItemRecord.kind, true), (CollectionRecord.kind, false)] {
                let survey = try reader.survey(try RecordKind(kind))
                if !survey.damaged.isEmpty { isShort = true }
                for info in survey.records {
                    if isItem { put(item: info) } else { put(collection: info) }
                }
            }
        } catch {
            throw .store(error)
        }
    }

    /// What is known of an item, the trash included; nil for none.
    subscript(id: String) -> ItemRecord? { index[id] ?? removed[id] }

    /// The collection that `default` names.
    var defaultCollection: String { collections.values.first(where: \.isDefault)?.id ?? Self.login }

    /// Whether there is a collection.
    func hasCollection(_ id: String) -> Bool { id == Self.login || collections[id] != nil }

    /// Takes what a commit of this vault wrote; nil for what it removed.
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
