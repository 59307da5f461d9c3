internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// One step of a sync on one snapshot of the vault: entries of the log become records, or records become an entry.
///
/// All its changes of records and log are one commit.
struct SyncTransaction {
    /// The result of a sync for a person.
    struct Report {
        /// The number of accepted changes of other machines.
        var received = 0
        /// Names of records that two machines changed; the losing value of a secret stays as a version.
        var conflicts: [String] = []
        /// New names of records of this machine, by their old names: the log uses the old names for other records.
        var renamed: [String: String] = [:]
        /// Names of records that were changed here and deleted elsewhere; the records stay.
        var removedElsewhere: [String] = []
        /// Hosts for which another machine sent a different key, with the name of that machine; empty if unknown.
        var hostKeysDiffer: [String: String] = [:]
        /// Whether this machine was removed from the log, or left it.
        var isRevoked = false
        /// The number of changes by other machines, by the name of the machine.
        var authors: [String: Int] = [:]
        /// Machines that were added, with the name of the machine that added each.
        var joined: [String: String] = [:]
        /// Machines that left the log, with the name of the machine that removed each; empty for a machine that left.
        var gone: [String: String] = [:]
        /// The number of shared records that were missing here after a restore; they stay in the log.
        var missing = 0
        /// The number of objects deleted in this sync so far.
        var deleted = 0
        /// Decisions of the sync that a person may change.
        var found: [LogConflict] = []
    }

    /// The facts that come from outside the vault.
    struct Facts {
        /// The head in the file beside the vault.
        var anchor: LogHead?
        /// Whether a person approved the deletion of many secrets.
        var acceptsRemovals = false
        /// Whether a person approved that records which a restore lost here are deleted elsewhere.
        var deletesMissing = false
        /// The number of objects that earlier steps of the same sync deleted.
        var deleted = 0
    }

    var log: StoredLog
    var report = Report()
    let reader: any RecordReader
    let signer: EntrySigner
    var secrets: SharedRecords<SharedSecret>
    var keys: SharedRecords<SharedKey>
    var hosts: SharedRecords<SharedHost>
    var hostKeys: SharedHostKeys

    /// Makes a step for a log that was read from the same snapshot.
    init(_ reader: any RecordReader, _ log: StoredLog, now: UInt64, entropy: Entropy) throws {
        self.log = log
        self.reader = reader
        signer = EntrySigner(
            keys: log.me.keys,
            time: now * 1_000,
            generation: reader.generation,
            entropy: entropy
        )
        secrets = try SharedRecords(reader, now: now, entropy: entropy)
        keys = try SharedRecords(reader, now: now, entropy: entropy)
        hosts = try SharedRecords(reader, now: now, entropy: entropy)
        hostKeys = try SharedHostKeys(reader, now: now, entropy: entropy)
        if log.predatesRestore { noteRestore() }
    }

    /// Marks records that a restore or repair lost, so that they do not count as deleted by a person.
    private mutating func noteRestore() {
        log.isRestored = true
        let lost = log.index.rows { id, row in
            log.kept[id] == nil && !row.isWithheld && !has(id, row.line.kind)
        }
        for (id, row) in lost {
            log.index[id] = LogIndex.Row(row.line, row.registers, revision: LogIndex.Row.missing)
        }
    }

    func has(_ id: ObjectID, _ kind: UInt8) -> Bool {
        switch SharedKind(rawValue: kind) {
        case .secret: secrets.has(id)
        case .sshKey: keys.has(id)
        case .sshHost: hosts.has(id)
        case .knownHost: hostKeys.has(id)
        default: true
        }
    }

    /// The objects whose records are missing after a restore, and whose deletion nobody approved.
    var missing: [ObjectID: LogIndex.Row] {
        let rows = log.index.rows { _, row in row.revision == LogIndex.Row.missing }
        return Dictionary(rows.map { ($0.id, $0.row) }) { $1 }
    }

    /// The records that get a new name.
    var renamings: [Renaming] {
        secrets.records.renamings + keys.records.renamings + hosts.records.renamings
    }

    /// The changes of records and log.
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
        // A name may be free now, or a newer program may be able to read the object.
        for (_, object) in log.kept.sorted(by: { $0.key < $1.key }) {
            try take(try SharedObject(encoded: object))
        }
        if facts.deletesMissing {
            for (id, row) in missing { log.index[id] = LogIndex.Row(row.line, row.registers, revision: 0) }
        }
        try follow(entries, facts)
        report.missing = missing.count
        try followKeys(since: before)
        try hostKeys.settle(log, &report)
        try keepConflicts()
    }

    /// Stores the decisions that a person may want to change, until the person settles them.
    mutating func keepConflicts() throws {
        for conflict in report.found { log.conflicts[try conflict.id()] = conflict }
    }

    private mutating func follow(_ entries: [[UInt8]], _ facts: Facts) throws {
        if case .admitted(let head) = log.me.stage { return try begin(entries, at: head, facts) }
        guard var book = log.book else { throw LogError(.noLog) }
        guard log.me.stage != .removed else { throw LogError(.machineRevoked) }
        let before = book.state
        let waiting = log.out?.entries ?? []
        let membership = book.membership(in: waiting)
        var taken: [AcceptedEntry] = []
        for entry in try behindHead(entries, of: book) {
            let members = book.state.members
            do {
                taken.append(try book.take(entry, known(facts)))
            } catch {
                // The author of the entry may have joined in the same page.
                throw error.named(by: book)
            }
            log.book = book
            try follow(taken[taken.count - 1], among: members)
            guard !report.isRevoked else { break }
        }
        // The accepted entries are this machine's own, so the log still has every change of the vault.
        if log.given == reader.generation, log.out == nil, log.kept.isEmpty, !taken.isEmpty,
            taken.allSatisfy(\.isOwn), !book.awaitsRekey, !facts.deletesMissing
        {
            log.given = reader.generation + 1
        }
        // Another machine's entry came first, so the change of the members is written again behind it.
        if let membership, log.out == nil, let book = log.book {
            let entries = try book.again(membership, count: waiting.count, signer)
            if !entries.isEmpty { log.out = LogOut(entries, revisions: [:]) }
        }
        report.deleted = facts.deleted
        guard !facts.acceptsRemovals else { return }
        // A record that is already in the trash here does not count as a removal.
        let removed = secrets.removed.union(keys.removed).union(hosts.removed)
        report.deleted = try book.checkRemovals(since: before, taken, earlier: facts.deleted) {
            !removed.contains($0)
        }
    }

    /// Reads the log for the first time, including the entries after the head that the ADMIT code names.
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
        // Only the last state of each object is applied; a machine that joins again may have it already.
        var newest: [ObjectID: UInt64] = [:]
        for entry in segment.taken {
            guard case .change(let operations) = entry.effect else { continue }
            for case .put(let object) in operations { newest[object.id] = entry.head.place }
        }
        for entry in segment.taken {
            try follow(entry) { newest[$0.id] == entry.head.place }
        }
    }

    /// The facts that reading the log needs besides its entries.
    private func known(_ facts: Facts) -> EntryContext {
        var known = EntryContext(boxSecrets: [log.me.keys.boxSecret], generation: reader.generation)
        known.sent = Set((log.out?.entries ?? []).map(\.head.hash))
        (known.anchor, known.wasRestored) = (facts.anchor, log.isRestored)
        return known
    }

    /// The entries after the newest accepted entry, which is compared if it is among them.
    private mutating func behindHead(_ entries: [[UInt8]], of book: LogBook) throws -> ArraySlice<[UInt8]> {
        guard let first = entries.first else { throw LogError(.logBehind, at: book.head.place) }
        let head = try EntryFrame(first).head
        guard head.place == book.head.place else { return entries[...] }
        guard head.hash == book.head.hash else { throw LogError(.logForked, at: head.place) }
        // The log has the entries of this machine, although the answer to the create was lost.
        if log.out?.entries.last?.head == book.head { log.out = nil }
        return entries.dropFirst()
    }

    /// Applies an accepted entry to the records.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - members: The machines before the entry; empty while the log is read for the first time.
    ///   - isWanted: Whether an object of the entry is applied.
    /// - Throws: `LogError`; `VaultError`.
    private mutating func follow(
        _ entry: AcceptedEntry,
        among members: [MachineID: Member] = [:],
        where isWanted: (SharedObject) -> Bool = { _ in true }
    ) throws {
        // An entry that this machine wrote after its restore comes after all entries that the restore lost.
        if entry.isOwn, entry.generation >= reader.floor { log.isRestored = false }
        switch entry.effect {
        case .change(let operations):
            var arrival = SharedArrival(
                author: log.book?.state.members[entry.author]?.name ?? "a removed machine",
                place: entry.head.place,
                isOwn: entry.isOwn
            )
            for case .put(let object) in operations { arrival.objects.insert(object.id) }
            var count = 0
            for operation in operations {
                switch operation {
                case .put(let object):
                    guard isWanted(object) else { continue }
                    try take(object, arrival)
                case .delete(let id): try delete(id, arrival)
                default: note(operation, arrival, among: members)
                }
                if operation.isOfRecord { count += 1 }
            }
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
            let key = report.isRevoked ? nil : book.key
            log.me.epoch = LogSelf.Epoch(log: book.log, number: book.epoch, key: key)
        }
        // The entry arrived, or another machine's entry came first; the next entry is made behind the new head.
        if let last = log.out?.entries.last, !entry.isOwn || last.head.place <= entry.head.place {
            log.out = nil
        }
    }

    /// Notes that a machine joined or left.
    private mutating func note(
        _ operation: LogOperation,
        _ arrival: SharedArrival,
        among members: [MachineID: Member]
    ) {
        switch operation {
        case .add(let admission) where !members.isEmpty:
            report.joined[admission.name] = arrival.author
        case .leave where arrival.isOwn: (report.isRevoked, log.me.stage) = (true, .removed)
        case .leave where !members.isEmpty: report.gone[arrival.author] = ""
        case .remove(let id, _):
            // This only removes a machine that has left before.
            guard let member = members[id], member.role != .left else { return }
            report.gone[member.name] = arrival.author
        default: break
        }
    }

    /// Accepts an object of the log.
    ///
    /// - Parameters:
    ///   - object: The object; if this program has no records of its kind, it is kept aside.
    ///   - arrival: The circumstances of its arrival.
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
