internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// The log of a vault in one snapshot, with changes of its machines or of the records that it shares.
struct LogTransaction: RecordTransaction {
    var reader: any RecordReader { records }
    let records: SurveyedReader
    let now: UInt64
    let entropy: Entropy
    /// The log after a change of its machines; nil for a vault without a log, and during a sync.
    var log: StoredLog?
    /// The records and the log as a sync leaves them.
    var sync: SyncTransaction?
    /// How this machine logs in from now on; nil for as before.
    var login: LogLogin?
    /// Everything that the vault knows of its log goes.
    var isErased = false
    /// Why the log cannot be used any more; it can still be erased.
    private(set) var fault: LogError?

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        try self.init(reader, LogMemory(), now: now, entropy: entropy)
    }

    /// A transaction on a log of which something is known.
    init(_ reader: any RecordReader, _ memory: LogMemory, now: UInt64, entropy: Entropy) throws {
        let records = SurveyedReader(reader, memory.records)
        (self.records, self.now, self.entropy) = (records, now, entropy)
        do {
            log = try StoredLog(records, memory.objects)
        } catch let error as LogError where error.reason == .recordsLost {
            (fault, log) = (error, try StoredLog(records, readsRecords: false))
        }
    }

    /// Begins a sync.
    ///
    /// - Throws: `noLog`.
    mutating func begin() throws -> SyncTransaction {
        guard let found = log else { throw LogError(.noLog) }
        log = nil
        return try SyncTransaction(reader, found, now: now, entropy: entropy)
    }

    /// What this machine signs entries with.
    func signer(_ log: StoredLog) -> EntrySigner {
        EntrySigner(
            keys: log.me.keys,
            time: now * 1_000,
            generation: reader.generation,
            entropy: entropy
        )
    }

    var renamings: [Renaming] { sync?.renamings ?? [] }

    /// The known state of the log after all changes of the transaction are committed.
    var memory: LogMemory {
        let isKnown = fault == nil && !isErased
        return LogMemory(records: records.found, objects: isKnown ? (sync?.log ?? log)?.objects : nil)
    }

    func changes() throws -> ChangeSet? {
        if isErased { return ChangeSet(floor: reader.floor, changes: try StoredLog.erasing(reader)) }
        if let sync { return try sync.changes() }
        var changes = try log?.changes() ?? []
        if let login { changes.append(try putting(login)) }
        guard !changes.isEmpty else { return nil }
        return ChangeSet(floor: reader.floor, changes: changes)
    }

    private func putting(_ login: LogLogin) throws -> Change {
        let id = try StoredLog.loginID
        let draft = RecordDraft(id: id, label: "HSIP shared log", body: try login.content())
        return .put(draft, expecting: try reader.info(id)?.revision ?? 0)
    }
}

extension Vault {
    /// An act on the log of the vault; a refusal names the author of the entry that it is about.
    ///
    /// - Parameters:
    ///   - isErasing: Whether the act only erases the log.
    ///   - act: The act.
    /// - Returns: what the act returns.
    /// - Throws: what the act throws; `recordsLost`.
    func log<R>(
        isErasing: Bool = false,
        _ act: (inout LogTransaction) throws -> R
    ) throws(VaultError) -> R {
        let memory = logMemory
        var found = LogMemory()
        let (result, commit) = try committing {
            try attempt(
                { reader, now, entropy in
                    try LogTransaction(reader, memory, now: now, entropy: entropy)
                },
                { (transaction: inout LogTransaction) in
                    let book = transaction.log?.book
                    do {
                        if let fault = transaction.fault, !isErasing { throw fault }
                        let result = try act(&transaction)
                        found = transaction.memory
                        return result
                    } catch let error as LogError {
                        throw error.named(by: book)
                    }
                }
            )
        }
        if let commit {
            try prove(commit)
            found = found.following(commit)
        }
        logMemory = found
        return result
    }
}

/// The objects of the log as the records of its index have them.
struct KnownObjects {
    /// The revisions of those records.
    var revisions: [RecordID: Revision]
    let index: LogIndex
    let state: LogState
}

/// Lets a sync of an open vault read only what changed.
///
/// It holds no key.
struct LogMemory {
    /// The index of all records.
    var records: KnownRecords?
    /// The objects of the log.
    var objects: KnownObjects?

    /// The known state after a commit of those changes.
    func following(_ commit: Vault.Commit) -> LogMemory {
        var next = LogMemory(records: records?.following(commit), objects: objects)
        for change in commit.changes.changes
        where change.id.kind.rawValue == StoredLog.Kind.index.rawValue {
            let isPut = if case .put = change { true } else { false }
            next.objects?.revisions[change.id] = isPut ? commit.revision : nil
        }
        return next
    }
}
