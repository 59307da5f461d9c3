internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// The log of a vault as its records store it (Schemas/machines.md section 9); a sync reads, changes and commits it.
struct StoredLog {
    /// The kinds of the records.
    enum Kind: String, CaseIterable {
        case machine = "log.self"
        case head = "log.head"
        case out = "log.out"
        case index = "log.index"
        case member = "log.machine"
        case former = "log.former"
        /// Objects from which no record can be made; they stay in the log and are reported to people.
        case kept = "log.kept"
        /// A decision of a sync that a person may change.
        case conflict = "log.conflict"
        /// The login of this machine, which is read and written separately.
        case login = "log.login"
    }

    /// This machine.
    var me: LogSelf
    /// The machine's knowledge about the log; nil before its first sync.
    var book: LogBook?
    /// The log's state of every object.
    var index: LogIndex
    /// Durable entries that are not sent, or not known to be in the log; nil if nothing waits.
    var out: LogOut?
    /// Objects from which no record can be made, by object id.
    var kept: [ObjectID: Secret] = [:]
    /// Decisions of a sync that a person may change.
    var conflicts: [ObjectID: LogConflict] = [:]
    /// Whether the vault was restored and has made no entry since; it may have forgotten entries of its own.
    var isRestored = false
    /// The commit of the vault up to which the log has every change; 0 for none.
    var given: UInt64 = 0
    /// Whether the vault was restored or repaired, and no sync has noted that.
    private(set) var predatesRestore = false
    /// The records as they were read; an index record without its content.
    private var loaded: [RecordID: (content: Secret?, revision: Revision)] = [:]

    /// Makes the log of a machine that founds a log or asks to join one.
    init(_ me: LogSelf) {
        self.me = me
        index = LogIndex()
    }

    /// Reads the log of a vault; nil if the vault has no shared log.
    ///
    /// - Parameters:
    ///   - reader: The records.
    ///   - known: The objects of the log that an earlier operation remembered.
    ///   - readsRecords: Whether to read the index of the shared records; a change needs it.
    /// - Throws: `StoreError`; `LogError` for a damaged content.
    init?(_ reader: any RecordReader, _ known: KnownObjects? = nil, readsRecords: Bool = true) throws {
        guard let record = try reader.find(try Self.id(.machine)) else { return nil }
        me = try LogSelf(content: record.body)
        index = LogIndex()
        predatesRestore = try (reader.info(try Self.id(.head)) ?? record.info).predatesRestore
        loaded[record.info.id] = (record.body, record.info.revision)
        if let record = try read(try Self.id(.out), reader) { out = try LogOut(content: record) }
        let buckets = readsRecords ? try reader.list(try RecordKind(Kind.index.rawValue)) : []
        for info in buckets { loaded[info.id] = (nil, info.revision) }
        // Two logs can have equal revisions, for example none.
        let isKnown = known?.revisions == revisions && known?.state.log == me.epoch?.log
        let known = isKnown ? known : nil
        if let known {
            index = known.index
        } else {
            for info in buckets {
                guard let bucket = Hex.decode(info.id.name), bucket.count == 1,
                    let record = try reader.find(info.id)
                else { throw LogError(.logTampered) }
                try index.load(bucket[0], record.body)
            }
        }
        let members = try contents(.member, reader).map { try Member(record: $0.content) }
        let former = try contents(.former, reader).map { try FormerKeeper(record: $0.content) }
        for (name, content) in try contents(.kept, reader) { kept[try Self.objectID(name)] = content }
        for (name, content) in try contents(.conflict, reader) {
            conflicts[try Self.objectID(name)] = try LogConflict(content: content)
        }
        guard let epoch = me.epoch, let head = try read(try Self.id(.head), reader) else { return }
        let state =
            known?.state.with(members, former)
            ?? LogState(log: epoch.log, members: members, former: former, objects: index.lines)
        let position = try LogPosition(content: head)
        (isRestored, given) = (position.isRestored, position.given)
        // A repair may have lost records. An entry with such a state would stop all other machines.
        guard !readsRecords || state.digest(epoch: epoch.number) == position.digest else {
            throw LogError(.recordsLost)
        }
        book = LogBook(machine: me.keys.id, epoch, position, state)
    }

    /// The revisions of the records of the index.
    private var revisions: [RecordID: Revision] {
        loaded.filter { $0.key.kind.rawValue == Kind.index.rawValue }.mapValues(\.revision)
    }

    /// The objects of the log, with the index records as they were read; nil before the first sync.
    var objects: KnownObjects? {
        book.map { KnownObjects(revisions: revisions, index: index.saved, state: $0.state) }
    }

    /// The changes that bring the records to this state.
    ///
    /// - Throws: `LogError`.
    func changes() throws -> [Change] {
        var wanted: [RecordID: Secret] = [try Self.id(.machine): try me.content()]
        if let book {
            wanted[try Self.id(.head)] = try LogPosition(book, isRestored: isRestored, given: given).content()
            for member in book.state.sortedMembers {
                wanted[try Self.id(.member, member.id.bytes)] = try Secret(copying: member.encoded)
            }
            for keeper in book.state.sortedFormer {
                wanted[try Self.id(.former, keeper.id.bytes)] = try Secret(copying: keeper.encoded)
            }
        }
        if let out { wanted[try Self.id(.out)] = try out.content() }
        for (id, content) in kept { wanted[try Self.id(.kept, id.bytes)] = content }
        for (id, conflict) in conflicts { wanted[try Self.id(.conflict, id.bytes)] = try conflict.content() }
        var changes: [Change] = []
        for (id, content) in wanted.sorted(by: { $0.key < $1.key }) {
            let old = loaded[id]
            if let old = old?.content, ConstantTime.equal(old, content) { continue }
            changes.append(.put(Self.draft(id, content), expecting: old?.revision ?? 0))
        }
        for (id, old) in loaded.sorted(by: { $0.key < $1.key }) where old.content != nil && wanted[id] == nil
        {
            changes.append(.delete(id, expecting: old.revision))
        }
        for bucket in index.changed.sorted() {
            let id = try Self.id(.index, [bucket])
            if let content = try index.content(of: bucket) {
                changes.append(.put(Self.draft(id, content), expecting: loaded[id]?.revision ?? 0))
            } else if let old = loaded[id] {
                changes.append(.delete(id, expecting: old.revision))
            }
        }
        return changes
    }

    /// Forgets a log that removed this machine, or a JOIN that was not answered, and begins with a new state.
    mutating func begin(_ me: LogSelf) {
        (self.me, book, out, kept, conflicts, index) = (me, nil, nil, [:], [:], index.emptied)
    }

    /// The unsettled conflicts, by id.
    static func conflicts(_ reader: any RecordReader) throws -> [ObjectID: LogConflict] {
        var found: [ObjectID: LogConflict] = [:]
        for info in try reader.list(try RecordKind(Kind.conflict.rawValue)) {
            guard let record = try reader.find(info.id) else { throw LogError(.logTampered) }
            found[try objectID(info.id.name)] = try LogConflict(content: record.body)
        }
        return found
    }

    /// The newest accepted entry, if the log has every change of the vault; it reads no shared records.
    static func given(_ reader: any RecordReader) throws -> LogPlace? {
        guard let head = try reader.find(try id(.head)), !head.info.predatesRestore,
            try reader.info(try id(.out)) == nil, let machine = try reader.find(try id(.machine))
        else { return nil }
        let position = try LogPosition(content: head.body)
        guard position.given == reader.generation, let epoch = try LogSelf(content: machine.body).epoch else {
            return nil
        }
        return LogPlace(place: position.head.place, hash: position.head.hash, epoch: epoch.number)
    }

    /// When the name of a secret got another meaning than before on this machine, Unix seconds; nil if it did not.
    static func renamedAt(_ name: String, _ reader: any RecordReader) throws -> UInt64? {
        let id = LogConflict.renamed(kind: SharedKind.secret.rawValue, name)
        return try reader.info(try Self.id(.conflict, id.bytes)).map { $0.created / 1_000 }
    }

    private static func objectID(_ name: String) throws -> ObjectID {
        guard let id = Hex.decode(name).flatMap({ ObjectID(bytes: $0) }) else { throw LogError(.logTampered) }
        return id
    }

    /// Erases all records of a log.
    static func erasing(_ reader: any RecordReader) throws -> [Change] {
        try Kind.allCases.flatMap { kind in
            try reader.list(try RecordKind(kind.rawValue)).map { .delete($0.id, expecting: $0.revision) }
        }
    }

    private mutating func read(_ id: RecordID, _ reader: any RecordReader) throws -> Secret? {
        guard let record = try reader.find(id) else { return nil }
        loaded[id] = (record.body, record.info.revision)
        return record.body
    }

    private mutating func contents(
        _ kind: Kind,
        _ reader: any RecordReader
    ) throws -> [(name: String, content: Secret)] {
        try reader.list(try RecordKind(kind.rawValue)).map { info in
            guard let content = try read(info.id, reader) else { throw LogError(.logTampered) }
            return (info.id.name, content)
        }
    }

    private static func id(_ kind: Kind, _ name: [UInt8] = []) throws -> RecordID {
        try RecordID(kind.rawValue, name.isEmpty ? "self" : Hex.encode(name))
    }

    private static func draft(_ id: RecordID, _ content: Secret) -> RecordDraft {
        RecordDraft(id: id, label: "HSIP shared log", body: content)
    }
}
