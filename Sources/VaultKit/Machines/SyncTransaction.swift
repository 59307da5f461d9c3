internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// One step of a sync on one snapshot of the vault: entries of the log become records, or records become an entry.
///
/// Everything that it changes, records and log together, is one commit.
struct SyncTransaction {
    /// The result of a sync for a person.
    struct Report {
        /// The number of accepted changes of other machines.
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
        /// This machine was removed from the log, or left it.
        var isRevoked = false
        /// Changes of others by the names of their machines.
        var authors: [String: Int] = [:]
        /// Machines that other machines added, and who did.
        var joined: [String: String] = [:]
        /// Machines that are in the log no more, and who removed them; empty for a machine that left.
        var gone: [String: String] = [:]
        /// How many shared records were missing here after a restore and stay in the log.
        var missing = 0
        /// The number of objects deleted in this sync so far.
        var deleted = 0
        /// Decisions of the sync that a person may change.
        var found: [LogConflict] = []
    }

    /// The facts from outside the vault.
    struct Facts {
        /// The head in the file beside the vault.
        var anchor: LogHead?
        /// Whether a person agreed that many secrets are deleted.
        var acceptsRemovals = false
        /// Whether a person agreed to delete records elsewhere that a restore lost here.
        var deletesMissing = false
        /// How many objects went in earlier steps of the same sync.
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

    /// A step on a log that was read from the same snapshot.
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

    /// Records that a restore or repair could not bring back are not records that a person deleted.
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

    /// The objects whose records were missing after a restore, and that nobody agreed to delete.
    var missing: [ObjectID: LogIndex.Row] {
        let rows = log.index.rows { _, row in row.revision == LogIndex.Row.missing }
        return Dictionary(rows.map { ($0.id, $0.row) }) { $1 }
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
        // A name may be free by now, or a newer program can read the object.
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

    /// Keeps what a person may want otherwise until they settle it.
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
                // Its author may have joined in the same page.
                throw error.named(by: book)
            }
            log.book = book
            try follow(taken[taken.count - 1], among: members)
            guard !report.isRevoked else { break }
        }
        // With its own entries in the log, this machine has given what it gave before.
        if log.given == reader.generation, log.out == nil, log.kept.isEmpty, !taken.isEmpty,
            taken.allSatisfy(\.isOwn), !book.awaitsRekey, !facts.deletesMissing
        {
            log.given = reader.generation + 1
        }
        // Another machine was faster.
        if let membership, log.out == nil, let book = log.book {
            let entries = try book.again(membership, count: waiting.count, signer)
            if !entries.isEmpty { log.out = LogOut(entries, revisions: [:]) }
        }
        report.deleted = facts.deleted
        guard !facts.acceptsRemovals else { return }
        // Nobody misses a record that is in the trash here already.
        let removed = secrets.removed.union(keys.removed).union(hosts.removed)
        report.deleted = try book.checkRemovals(since: before, taken, earlier: facts.deleted) {
            !removed.contains($0)
        }
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
        // Only the last state of an object counts: a machine that joins again may have that already.
        var newest: [ObjectID: UInt64] = [:]
        for entry in segment.taken {
            guard case .change(let operations) = entry.effect else { continue }
            for case .put(let object) in operations { newest[object.id] = entry.head.place }
        }
        for entry in segment.taken {
            try follow(entry) { newest[$0.id] == entry.head.place }
        }
    }

    /// The facts for reading the log, beside its entries.
    private func known(_ facts: Facts) -> EntryContext {
        var known = EntryContext(boxSecrets: [log.me.keys.boxSecret], generation: reader.generation)
        known.sent = Set((log.out?.entries ?? []).map(\.head.hash))
        (known.anchor, known.wasRestored) = (facts.anchor, log.isRestored)
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

    /// Follows an entry that was accepted.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - members: The machines before it; none while the log is read for the first time.
    ///   - isWanted: Whether an object of it counts.
    /// - Throws: `LogError`; `VaultError`.
    private mutating func follow(
        _ entry: AcceptedEntry,
        among members: [MachineID: Member] = [:],
        where isWanted: (SharedObject) -> Bool = { _ in true }
    ) throws {
        // An entry that this machine wrote after its restore comes after all that it forgot.
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
        // Another machine was faster: the entry of this machine is made again behind the new head.
        if let last = log.out?.entries.last, !entry.isOwn || last.head.place <= entry.head.place {
            log.out = nil
        }
    }

    /// Notes that a machine came or went.
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
            // A keeper removes a machine that has left.
            guard let member = members[id], member.role != .left else { return }
            report.gone[member.name] = arrival.author
        default: break
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
