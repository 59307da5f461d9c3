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
    private(set) var report = Report()
    let reader: any RecordReader
    /// The names of the secrets by their identity, as they are by now.
    private(set) var names: [ObjectID: String] = [:]
    /// The same the other way round.
    private var holders: [String: ObjectID] = [:]
    /// Records that say what the log says, by this transaction.
    private var fresh: Set<ObjectID> = []
    private var revisions: [ObjectID: Revision] = [:]

    /// Nil for a vault that shares no log.
    init?(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        guard let log = try StoredLog(reader) else { return nil }
        self.log = log
        self.reader = reader
        secrets = try CredentialTransaction(reader, now: now, entropy: entropy)
        for info in try secrets.list() where !info.isNewer {
            guard let id = ObjectID(bytes: info.uid) else { continue }
            call(id, info.id.name)
            revisions[id] = info.revision
        }
    }

    /// The revision that the commit gives to the records that it writes; if another commit comes first, the next step only
    /// has to look at them once more.
    private var nextRevision: Revision { reader.generation + 1 }

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
        // An entry of another machine at this place: what was to stand behind the old head never will.
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
            try write(theirs, over: nil, beside: others)
            revision = nextRevision
            return
        }
        guard let mine = try shared(id, name) else { return }
        guard !isUnchanged(id) else {
            try write(theirs, over: name, beside: others)
            revision = nextRevision
            return
        }
        guard let merged = try mine.merged(with: theirs, base: old?.registers ?? []) else {
            // Two types under one identity: this machine's goes on as another secret.
            try setAside(name, as: mine)
            try write(theirs, over: nil, beside: others)
            revision = nextRevision
            return
        }
        try write(merged.secret, over: name, beside: others)
        let isSame = try merged.secret.object().digest() == line.digest
        revision = isSame ? nextRevision : 0
        if !isSame { fresh.remove(id) }
        if merged.isConflict { report.conflicts.append(merged.secret.name) }
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

    // MARK: Records

    private mutating func call(_ id: ObjectID, _ name: String?) {
        if let old = names[id], holders[old] == id { holders[old] = nil }
        names[id] = name
        if let name { holders[name] = id }
    }

    /// The secret of a record; nil for a secret that stays here.
    func shared(_ id: ObjectID, _ name: String) throws -> SharedSecret? {
        guard let credential = try secrets.find(name) else { return nil }
        return SharedSecret(id, name, created: try secrets.created(of: name), credential)
    }

    /// Writes a secret as the record of its identity; another record that has its name gets another one.
    private mutating func write(_ secret: SharedSecret, over name: String?, beside others: Set<ObjectID>)
        throws
    {
        if let holder = holders[secret.name], holder != secret.id {
            try makeWay(holder, for: secret, isSaid: !others.contains(holder))
        }
        if let name {
            try secrets.move(name, to: secret.name, as: secret.credential)
        } else {
            try secrets.add(
                secret.credential,
                named: secret.name,
                uid: secret.id.bytes,
                created: secret.created
            )
        }
        call(secret.id, secret.name)
        fresh.insert(secret.id)
    }

    /// The same name and the same fields are one secret; else the secret that is not in the log gets another name.
    private mutating func makeWay(_ holder: ObjectID, for secret: SharedSecret, isSaid: Bool) throws {
        guard let mine = try secrets.find(secret.name) else { return }
        if log.index[holder] == nil, mine.hasSameFields(as: secret.credential) {
            try secrets.erase(secret.name)
            call(holder, nil)
            return
        }
        let free = try secrets.freeName(like: secret.name)
        try secrets.move(secret.name, to: free, as: mine)
        call(holder, free)
        revisions[holder] = nil
        fresh.remove(holder)
        if isSaid, mine.removedAt == nil { report.renamed[secret.name] = free }
    }

    private mutating func setAside(_ name: String, as mine: SharedSecret) throws {
        let free = try secrets.freeName(like: name)
        try secrets.erase(name)
        try secrets.add(mine.credential, named: free)
        call(mine.id, nil)
        report.renamed[name] = free
    }
}
