internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// The log of a vault in one snapshot, with changes of its machines or of the shared records.
struct LogTransaction: RecordTransaction {
    var reader: any RecordReader { records }
    let records: SurveyedReader
    let now: UInt64
    let entropy: Entropy
    /// The log after a change of its machines; nil for a vault without a log, and during a sync.
    var log: StoredLog?
    /// The records and the log after a sync.
    var sync: SyncTransaction?
    /// The new login of this machine; nil to keep the present one.
    var login: LogLogin?
    /// Whether everything that the vault knows about its log is erased.
    var isErased = false
    /// The reason why the log can only be erased.
    private(set) var fault: LogError?

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        try self.init(reader, LogMemory(), now: now, entropy: entropy)
    }

    /// Makes a transaction with the state that an earlier operation remembered.
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

    /// The signer of this machine's entries.
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
    /// Performs an operation on the log of the vault; an error names the author of the entry that caused it.
    ///
    /// - Parameters:
    ///   - isErasing: Whether the operation only erases the log.
    ///   - act: The operation.
    /// - Returns: the result of `act`.
    /// - Throws: the errors of `act`; `recordsLost`.
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

/// The objects of the log, as the index records describe them.
struct KnownObjects {
    /// The revisions of the index records.
    var revisions: [RecordID: Revision]
    let index: LogIndex
    let state: LogState
}

/// The state that lets a sync of an open vault read only changed records.
///
/// It contains no key.
struct LogMemory {
    /// The index of all records.
    var records: KnownRecords?
    /// The objects of the log.
    var objects: KnownObjects?

    /// The state after a commit of this vault.
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
