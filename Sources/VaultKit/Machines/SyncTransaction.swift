internal import Credentials
internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// One step of a sync on one snapshot of the vault: entries of the log become records, or records become an entry.
///
/// Everything that it changes, records and log together, is one commit.
struct SyncTransaction {
    /// What a person hears of.
    struct Report: Equatable {
        /// Changes of others that were accepted.
        var received = 0
        /// Names of secrets that two machines changed; the losing value stays as a version.
        var conflicts: [String] = []
        /// Secrets of this machine that have another name now, since the log has theirs for another secret.
        var renamed: [String: String] = [:]
        /// Secrets that were changed here and deleted elsewhere: they stay.
        var removedElsewhere: [String] = []
        /// This machine was removed from the log.
        var isRevoked = false
    }

    /// What a sync knows beside the vault.
    struct Facts {
        /// The head in the file beside the vault.
        var anchor: LogHead?
        /// The vault was restored since it wrote its last entry.
        var wasRestored = false
        /// A person agreed that many secrets are deleted.
        var acceptsRemovals = false
    }

    var log: StoredLog
    var secrets: CredentialTransaction
    var report = Report()
    let reader: any RecordReader
    /// The names of the secrets by their identity, as they are by now.
    var names: [ObjectID: String] = [:]
    /// The identities of the secrets by their names.
    var holders: [String: ObjectID] = [:]
    /// Records that a newer program wrote: this one neither shares nor replaces them.
    private(set) var newer: Set<ObjectID> = []
    /// Records that say what the log says, by this transaction.
    var fresh: Set<ObjectID> = []
    var revisions: [ObjectID: Revision] = [:]

    /// Nil for a vault that shares no log.
    init?(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        guard let log = try StoredLog(reader) else { return nil }
        self.log = log
        self.reader = reader
        secrets = try CredentialTransaction(reader, now: now, entropy: entropy)
        for info in try secrets.list() {
            guard let id = ObjectID(bytes: info.uid) else { continue }
            call(id, info.id.name)
            revisions[id] = info.revision
            if info.isNewer { newer.insert(id) }
        }
    }

    /// The revision that the commit gives to the records that it writes; if another commit comes first, the next step only
    /// has to look at them once more.
    var nextRevision: Revision { reader.generation + 1 }

    /// What has to be written.
    func changes() throws -> ChangeSet? {
        var all = try secrets.changes() ?? ChangeSet(floor: reader.floor)
        all.changes += try log.changes()
        return all.changes.isEmpty ? nil : all
    }

    /// Whether the record of an object is as the log has it.
    func isUnchanged(_ id: ObjectID) -> Bool {
        if fresh.contains(id) { return true }
        guard let row = log.index[id], let revision = revisions[id] else { return false }
        return row.revision == revision
    }

    // MARK: Entries become records

    /// Accepts the next entries of the log.
    ///
    /// - Throws: `LogError`, with the place of the entry and its author; do not commit this transaction then.
    mutating func take(_ entries: [[UInt8]], _ facts: Facts) throws {
        guard var book = log.book else { throw LogError(.notAllowed) }
        let before = book.state
        var taken: [TakenEntry] = []
        for entry in entries {
            var known = TakingFacts(boxSecrets: [log.me.keys.boxSecret], generation: reader.generation)
            known.sent = Set((log.out?.entries ?? []).map(\.head.hash))
            (known.anchor, known.wasRestored) = (facts.anchor, facts.wasRestored)
            taken.append(try book.take(entry, known))
            log.book = book
            try follow(taken[taken.count - 1])
            guard !report.isRevoked else { break }
        }
        if !facts.acceptsRemovals { try book.checkRemovals(since: before, taken) }
    }

    private mutating func follow(_ entry: TakenEntry) throws {
        switch entry.effect {
        case .change(let operations):
            let put = Set(operations.compactMap { if case .put(let object) = $0 { object.id } else { nil } })
            for operation in operations {
                switch operation {
                case .put(let object): try take(object, isOwn: entry.isOwn, beside: put)
                case .delete(let id): try delete(id, isOwn: entry.isOwn)
                default: break
                }
            }
            if !entry.isOwn { report.received += operations.count }
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
    ///   - object: The object.
    ///   - isOwn: This machine wrote its entry.
    ///   - others: The objects of the same change, which may give up a name.
    /// - Throws: `LogError`; `VaultError`.
    mutating func take(_ object: SharedObject, isOwn: Bool = false, beside others: Set<ObjectID> = []) throws
    {
        let id = object.id
        guard let line = log.book?.state[id] else { return }
        log.kept[id] = nil
        guard let theirs = SharedSecret(object) else {
            log.kept[id] = object.encoded
            log.index[id] = LogIndex.Row(line, [], revision: 0)
            return
        }
        let digests = try theirs.registers().digests
        let old = log.index[id]
        var revision = old?.revision ?? 0
        defer { log.index[id] = LogIndex.Row(line, digests, revision: revision) }
        if isOwn {
            revision = log.out?.revisions[id] ?? 0
            return
        }
        guard let name = names[id] else {
            // A secret that was deleted here comes back if another machine changed it.
            let verdict = RemovalMerge.of(mine: nil, theirs: digests, base: old?.registers ?? [])
            guard old == nil || verdict == .comesBack else { return }
            revision = try write(theirs, over: nil, line, beside: others)
            return
        }
        guard let mine = try shared(id, name) else { return }
        if isUnchanged(id) {
            revision = try write(theirs, over: name, line, beside: others)
        } else if let merged = try mine.merged(with: theirs, base: old?.registers ?? []) {
            revision = try write(merged.secret, over: name, line, beside: others)
            if merged.isConflict { report.conflicts.append(merged.secret.name) }
        } else {
            // Two types under one identity: the secret of this machine goes on as another one.
            try setAside(name, as: mine)
            revision = try write(theirs, over: nil, line, beside: others)
        }
    }

    private mutating func delete(_ id: ObjectID, isOwn: Bool) throws {
        let isUnchanged = isUnchanged(id)
        (log.index[id], log.kept[id]) = (nil, nil)
        guard !isOwn, let name = names[id], try shared(id, name) != nil else { return }
        guard isUnchanged else { return report.removedElsewhere.append(name) }
        let credential = try secrets.open(name, inTrash: true)
        if credential.removedAt == nil {
            try secrets.remove(name)
        } else if secrets.trash.isOver(credential.removedAt) {
            try secrets.erase(name)
            call(id, nil)
        }
    }
}
