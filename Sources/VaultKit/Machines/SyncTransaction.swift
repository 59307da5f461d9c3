internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// One step of a sync on one snapshot of the vault: entries of the log become records, or records become an entry.
///
/// Everything that it changes, records and log together, is one commit.
struct SyncTransaction {
    /// What a person hears of.
    struct Report {
        /// Changes of others that were accepted.
        var received = 0
        /// Names of secrets that two machines changed; the losing value stays as a version.
        var conflicts: [String] = []
        /// Secrets of this machine that have another name now, since the log has theirs for another secret.
        var renamed: [String: String] = [:]
        /// Secrets that were changed here and deleted elsewhere: they stay.
        var removedElsewhere: [String] = []
        /// Names of hosts for which another machine brought another key, and the name of that machine; empty if that is not
        /// known.
        var hostKeysDiffer: [String: String] = [:]
        /// This machine was removed from the log.
        var isRevoked = false
        /// Changes of others by the names of their machines.
        var authors: [String: Int] = [:]
        /// How many objects went by now in this sync.
        var deleted = 0
        /// What a person may want otherwise.
        var found: [LogConflict] = []
    }

    /// What a sync knows beside the vault.
    struct Facts {
        /// The head in the file beside the vault.
        var anchor: LogHead?
        /// The vault was restored since it wrote its last entry.
        var wasRestored = false
        /// A person agreed that many secrets are deleted.
        var acceptsRemovals = false
        /// How many objects went in earlier steps of the same sync.
        var deleted = 0
    }

    var log: StoredLog
    var report = Report()
    let reader: any RecordReader
    var secrets: SharedRecords<SharedSecret>
    var keys: SharedRecords<SharedKey>
    var hosts: SharedRecords<SharedHost>
    var hostKeys: SharedHostKeys

    /// A step on a log that was read from the same snapshot.
    init(_ reader: any RecordReader, _ log: StoredLog, now: UInt64, entropy: Entropy) throws {
        self.log = log
        self.reader = reader
        secrets = try SharedRecords(reader, now: now, entropy: entropy)
        keys = try SharedRecords(reader, now: now, entropy: entropy)
        hosts = try SharedRecords(reader, now: now, entropy: entropy)
        hostKeys = try SharedHostKeys(reader, now: now, entropy: entropy)
    }

    /// The records that get another name.
    var renamings: [Renaming] {
        secrets.records.renamings + keys.records.renamings + hosts.records.renamings
    }

    /// What has to be written.
    func changes() throws -> ChangeSet? {
        var all = ChangeSet(floor: reader.floor)
        for changes in [
            try keys.records.changes(), try hosts.records.changes(), try secrets.records.changes(),
            try hostKeys.changes(),
        ] {
            all.changes += changes?.changes ?? []
        }
        all.changes += try log.changes()
        return all.changes.isEmpty ? nil : all
    }

    // MARK: Entries become records

    /// Accepts the next entries of the log.
    ///
    /// - Throws: `LogError`, with the place of the entry and its author; do not commit this transaction then.
    mutating func take(_ entries: [[UInt8]], _ facts: Facts) throws {
        let before = keys.holders
        // What was kept aside may have a free name by now, or a program that can read it.
        for (_, object) in log.kept.sorted(by: { $0.key < $1.key }) {
            try take(try SharedObject(encoded: object))
        }
        try follow(entries, facts)
        try followKeys(since: before)
        try hostKeys.settle(log, &report)
        try keepConflicts()
    }

    /// Keeps what a person may want otherwise until they settle it.
    mutating func keepConflicts() throws {
        for conflict in report.found { log.conflicts[try conflict.id()] = conflict }
    }

    private mutating func follow(_ entries: [[UInt8]], _ facts: Facts) throws {
        if case .admitted(let head) = log.me.stage { return try begin(entries, at: head, facts) }
        guard var book = log.book else { throw LogError(.noLog) }
        guard log.me.stage != .removed else { throw LogError(.machineRevoked) }
        let before = book.state
        var taken: [TakenEntry] = []
        for entry in try behindHead(entries, of: book) {
            taken.append(try book.take(entry, known(facts)))
            log.book = book
            try follow(taken[taken.count - 1])
            guard !report.isRevoked else { break }
        }
        report.deleted = facts.deleted
        guard !facts.acceptsRemovals else { return }
        report.deleted = try book.checkRemovals(since: before, taken, earlier: facts.deleted)
    }

    /// Reads the log for the first time, up to the head that the ADMIT names and behind it.
    private mutating func begin(_ entries: [[UInt8]], at head: LogHead, _ facts: Facts) throws {
        guard let epoch = log.me.epoch, let key = epoch.key else { throw LogError(.noLog) }
        let segment = try LogSegment(
            entries,
            for: .joining(log.me.keys.id, log: epoch.log, admitted: head, epoch: epoch.number, key: key),
            known(facts)
        )
        log.me.stage = .member
        log.book = segment.book
        for (_, object) in segment.objects { try take(object) }
        for entry in segment.taken { try follow(entry) }
    }

    /// What the log says beside its entries.
    private func known(_ facts: Facts) -> TakingFacts {
        var known = TakingFacts(boxSecrets: [log.me.keys.boxSecret], generation: reader.generation)
        known.sent = Set((log.out?.entries ?? []).map(\.head.hash))
        (known.anchor, known.wasRestored) = (facts.anchor, facts.wasRestored)
        return known
    }

    /// The entries behind the newest accepted entry, which is compared if it is among them.
    private mutating func behindHead(_ entries: [[UInt8]], of book: LogBook) throws -> ArraySlice<[UInt8]> {
        guard let first = entries.first else { throw LogError(.logBehind, at: book.head.place) }
        let head = try EntryFrame(first).head
        guard head.place == book.head.place else { return entries[...] }
        guard head.hash == book.head.hash else { throw LogError(.logForked, at: head.place) }
        // The log has the entries of this machine, although the answer was lost.
        if log.out?.entries.last?.head == book.head { log.out = nil }
        return entries.dropFirst()
    }

    private mutating func follow(_ entry: TakenEntry) throws {
        switch entry.effect {
        case .change(let operations):
            var arrival = SharedArrival(
                author: log.book?.state.members[entry.author]?.name ?? "a removed machine",
                place: entry.head.place,
                isOwn: entry.isOwn
            )
            for case .put(let object) in operations { arrival.objects.insert(object.id) }
            for operation in operations {
                switch operation {
                case .put(let object): try take(object, arrival)
                case .delete(let id): try delete(id, arrival)
                default: break
                }
            }
            let count = operations.count(where: \.isOfRecord)
            if !entry.isOwn, count > 0 {
                report.received += count
                report.authors[arrival.author, default: 0] += count
            }
        case .revoked:
            report.isRevoked = true
            log.me.stage = .removed
        case .rekey, .unfinished, .snapshotPart: break
        }
        if let book = log.book {
            log.me.epoch = LogSelf.Epoch(log: book.log, number: book.epoch, key: book.key)
        }
        // Another machine was faster: the entry of this machine is made again behind the new head.
        if let last = log.out?.entries.last, !entry.isOwn || last.head.place <= entry.head.place {
            log.out = nil
        }
    }

    /// Accepts an object of the log.
    ///
    /// - Parameters:
    ///   - object: The object; if this program has no records of its kind, it is kept aside.
    ///   - arrival: The change that it came with.
    /// - Throws: `LogError`; `VaultError`.
    mutating func take(_ object: SharedObject, _ arrival: SharedArrival = SharedArrival()) throws {
        switch object.sharedKind {
        case .secret: try secrets.take(object, arrival, &log, &report)
        case .sshKey: try keys.take(object, arrival, &log, &report)
        case .sshHost: try hosts.take(object, arrival, &log, &report)
        case .knownHost: try hostKeys.take(object, arrival, &log, &report)
        default:
            guard let line = log.book?.state[object.id] else { return }
            log.kept[object.id] = object.encoded
            log.index[object.id] = LogIndex.Row(line, [], revision: 0)
        }
    }

    private mutating func delete(_ id: ObjectID, _ arrival: SharedArrival) throws {
        switch log.index[id].flatMap({ SharedKind(rawValue: $0.line.kind) }) {
        case .secret: try secrets.delete(id, arrival, &log, &report)
        case .sshKey: try keys.delete(id, arrival, &log, &report)
        case .sshHost: try hosts.delete(id, arrival, &log, &report)
        case .knownHost: try hostKeys.delete(id, arrival, &log, &report)
        default: (log.index[id], log.kept[id]) = (nil, nil)
        }
    }
}
