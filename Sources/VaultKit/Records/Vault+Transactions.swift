internal import RecordStore
internal import Secrets
internal import VaultCrypto

extension Vault {
    /// Runs a transaction: reads, changes, commits and reads back; starts again if another process was faster.
    ///
    /// With `isTrial` nothing is written, and the result shows what would happen.
    ///
    /// - Throws: the errors of `act`; `busy` if other processes were faster for `patience`; `readBackDiffers`.
    func transact<Transaction: RecordTransaction, R>(
        _: Transaction.Type,
        isTrial: Bool = false,
        _ act: (inout Transaction) throws -> R
    ) throws(VaultError) -> R {
        guard !isTrial else { return try attempt(act).0 }
        return try proving(act).result
    }

    /// Like `transact`, but also returns the records as they were read back; none if `act` changed nothing.
    func proving<Transaction: RecordTransaction, R>(
        _ act: (inout Transaction) throws -> R
    ) throws(VaultError) -> (result: R, written: [RecordInfo]) {
        let (result, commit) = try committing { try attempt(act) }
        return (result, try commit.map(prove) ?? [])
    }

    /// A durable change set.
    struct Commit {
        let changes: ChangeSet
        let revision: Revision
    }

    /// Commits the changes of an attempt, and tries again if another process was faster.
    ///
    /// The items and the log in memory are updated after every commit.
    ///
    /// - Parameter attempt: Reads and changes a snapshot; returns its result and the changes, nil if nothing changed.
    /// - Returns: the result of the last attempt, and its commit.
    /// - Throws: the errors of `attempt` or the store; `busy` if other processes were faster for `patience`.
    func committing<R>(
        _ attempt: () throws -> (R, ChangeSet?)
    ) throws(VaultError) -> (result: R, commit: Commit?) {
        let (result, commit) = try retrying(attempt)
        if let commit {
            keepItems(over: commit.changes, at: commit.revision)
            logMemory.records = logMemory.records?.following(commit)
        }
        return (result, commit)
    }

    /// Like `committing`, for a caller outside the actor; items and log in memory are not updated.
    nonisolated func retrying<R>(
        _ attempt: () throws -> (R, ChangeSet?)
    ) throws(VaultError) -> (result: R, commit: Commit?) {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let (result, changes) = try asVaultError(attempt)
            guard let changes else { return (result, nil) }
            do throws(StoreError) {
                return (result, Commit(changes: changes, revision: try store.commit(changes)))
            } catch {
                guard error == .conflict else { throw .store(error) }
                guard ContinuousClock.now < deadline else { throw .store(.busy) }
            }
        }
    }

    /// Runs a transaction on one snapshot.
    private func attempt<Transaction: RecordTransaction, R>(
        _ act: (inout Transaction) throws -> R
    ) throws(VaultError) -> (R, ChangeSet?) {
        try attempt({ try Transaction($0, now: $1, entropy: $2) }, act)
    }

    /// Runs a transaction on one snapshot; the caller makes the transaction.
    func attempt<Transaction: RecordTransaction, R>(
        _ begin: (any RecordReader, UInt64, Entropy) throws -> Transaction,
        _ act: (inout Transaction) throws -> R
    ) throws(VaultError) -> (R, ChangeSet?) {
        let (now, entropy) = (now(), entropy)
        return try reading { reader in
            var transaction = try begin(reader, now, entropy)
            let result = try act(&transaction)
            var changes = try transaction.allChanges(reader, now: now, entropy: entropy)
            if changes != nil, let change = try reader.clockChange(at: now) {
                changes?.changes.append(change)
            }
            return (result, changes)
        }
    }

    /// Reads one snapshot.
    nonisolated func reading<R>(_ look: (any RecordReader) throws -> R) throws(VaultError) -> R {
        try asVaultError {
            try store.read { (reader) throws(StoreError) -> Result<R, VaultError> in
                do {
                    return .success(try look(reader))
                } catch {
                    let error = VaultError(error)
                    // The store handles its own errors.
                    if case .store(let error) = error { throw error }
                    return .failure(error)
                }
            }.get()
        }
    }

    /// Reads the written records back and compares them, except records that another process has overwritten since.
    ///
    /// - Returns: the records as they were read back.
    /// - Throws: `readBackDiffers`; `commitUnknown` if nothing can be read. The change was made, so no error may invite the
    ///   caller to try again.
    @discardableResult
    func prove(_ commit: Commit) throws(VaultError) -> [RecordInfo] {
        let (changes, revision) = (commit.changes, commit.revision)
        let found: [RecordInfo]?
        do throws(StoreError) {
            found = try store.read { (reader) throws(StoreError) in
                var found: [RecordInfo] = []
                for case .put(let draft, _) in changes.changes {
                    guard let record = try reader.find(draft.id) else {
                        guard reader.generation > revision else { return nil }
                        continue
                    }
                    found.append(record.info)
                    guard record.info.revision <= revision else { continue }
                    guard record.info.revision == revision, ConstantTime.equal(record.body, draft.body)
                    else { return nil }
                }
                return found
            }
        } catch .tampered(.record(let damaged)) where changes.changes.contains(where: damaged.isAbout) {
            found = nil
        } catch {
            throw .store(.commitUnknown)
        }
        guard let found else { throw .ssh(.readBackDiffers) }
        return found
    }
}

extension DamagedRecord {
    /// Whether the damaged record is the record of a change.
    fileprivate func isAbout(_ change: Change) -> Bool {
        kind == change.id.kind.rawValue && name == change.id.name
    }
}

/// Records in one snapshot, and the changes that an operation makes to them.
///
/// A transaction exists only during one reading of the store.
protocol RecordTransaction {
    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws

    /// The changes to write; nil if nothing changed.
    func changes() throws -> ChangeSet?

    /// The records that the changes rename.
    var renamings: [Renaming] { get }
}

extension RecordTransaction {
    var renamings: [Renaming] { [] }

    /// The changes to write, with the changes of rules and gifts that name a renamed or deleted record.
    func allChanges(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws -> ChangeSet? {
        guard var all = try changes() else { return nil }
        let renamings = renamings
        all.changes += try reader.giftChanges(following: renamings, all.changes)
        guard !renamings.isEmpty else { return all }
        var rules = try RuleTransaction(reader, now: now, entropy: entropy)
        try rules.follow(renamings)
        all.changes += try rules.changes()?.changes ?? []
        return all
    }
}
