public import RecordStore
internal import Synchronization
internal import VaultCrypto

/// A vault in one encrypted SQLite file (Schemas/vault-file.md).
///
/// Every answer is authenticated before it is given, and every commit is on the disk when it returns. Calls
/// block on the disk, so make them from an executor of their own; calls from several threads run one by one.
public final class FileStore: Store {
    /// The connection and the keys of an unlocked vault.
    struct Session: Sendable {
        let connection: Connection
        let sealer: Sealer
    }

    /// The vault's id: 16 bytes, public.
    public let vaultID: [UInt8]
    /// The paths of the vault's files.
    public let paths: VaultPaths
    /// Whether commits are refused: by request, for an old copy, or because the medium is read-only.
    public let isReadOnly: Bool
    /// The result of the anchor check when the vault was opened.
    public let anchorFinding: AnchorFinding
    let anchor: Anchor
    /// The position of the vault that another store remembered when it was opened.
    let furtherAnchor: AnchorText?
    private let session: Mutex<Session?>
    private let events: Mutex<[StoreEvent]>
    private let newest = Mutex<AnchorText?>(nil)

    init(
        _ paths: VaultPaths,
        anchor: Anchor,
        isReadOnly: Bool,
        session: Session,
        events: [StoreEvent],
        furtherAnchor: AnchorText?,
        anchorFinding: AnchorFinding
    ) {
        self.paths = paths
        self.anchor = anchor
        self.isReadOnly = isReadOnly
        vaultID = session.sealer.vaultID
        self.session = Mutex(session)
        self.events = Mutex(events)
        self.furtherAnchor = furtherAnchor
        self.anchorFinding = anchorFinding
    }

    /// Forgets the keys and closes the file; every later call is refused with `locked`.
    ///
    /// A call that is running on another thread still completes.
    public func lock() {
        session.withLock { $0 = nil }
    }

    /// Passes one consistent view to `body`, which must not call the store again.
    ///
    /// - Throws: What `body` throws; `tampered` and `corrupt` for a file that fails authentication; `rekeyed`
    /// if another process changed the vault key; `rollback` if the file was replaced by an older one meanwhile.
    public func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        let (connection, sealer) = try unlocked()
        return try connection.read { rows throws(StoreError) in
            let head = try sealer.observe(rows.head())
            return try body(SealedReader(sealer, rows, head))
        }
    }

    /// Commits all changes or none, durably, in one transaction.
    ///
    /// - Throws: As the contract says; `readOnly`, `busy` after ten seconds, `diskFull`.
    @discardableResult
    public func commit(_ changes: ChangeSet) throws(StoreError) -> Revision {
        try changes.check()
        if changes.changes.isEmpty {
            return try read { reader throws(StoreError) in
                guard reader.floor == changes.floor else { throw .conflict }
                return reader.generation
            }
        }
        return try write { sealer, rows throws(StoreError) in try sealer.plan(changes, rows) }.generation
    }

    /// Runs a plan in a write transaction, commits it and raises the anchor.
    @discardableResult
    func write(
        acceptsRollback: Bool = false,
        _ plan: (Sealer, SQLRows) throws(StoreError) -> CommitPlan
    ) throws(StoreError) -> CommitPlan {
        guard !isReadOnly else { throw .readOnly }
        let (connection, sealer) = try unlocked()
        var isWriting = false
        var held: HeldAnchor?
        let written: CommitPlan
        do throws(StoreError) {
            written = try connection.write { rows throws(StoreError) in
                let row = try rows.head()
                let head = try sealer.observe(row)
                if !acceptsRollback { held = try checkedAnchor(AnchorText(row, head)) }
                let plan = try plan(sealer, rows)
                isWriting = true
                try rows.write(plan)
                return plan
            } committed: {
                sealer.adopt($0)
            }
        } catch {
            // The failed write leaves the file in an unknown state: read everything again.
            if isWriting { sealer.forget() }
            throw error
        }
        raise(held, to: written.anchor)
        return written
    }

    /// Raises the anchor after a commit; notes a failure.
    func raise(_ held: consuming HeldAnchor?, to text: AnchorText) {
        newest.withLock { $0 = text }
        if let held {
            noting { () throws(StoreError) in try held.raise(to: text) }
        } else {
            raiseAnchor(text)
        }
    }

    /// Switches to another connection and key, unless the vault was locked meanwhile.
    func go(on connection: Connection, _ sealer: Sealer) {
        session.withLock { session in
            if session != nil { session = Session(connection: connection, sealer: sealer) }
        }
    }

    /// Throws if the anchor is newer than the head, so that no number is used twice; hold the write lock.
    ///
    /// Under that lock no process raises the anchor above this file's head, because the anchor is raised
    /// after a commit. An unreadable anchor stops nothing; `raiseAnchor` reports it.
    ///
    /// - Throws: `rollback` or `fork` if the anchor is newer; `busy`.
    func checkedAnchor(_ head: AnchorText) throws(StoreError) -> HeldAnchor? {
        let held: HeldAnchor?
        do throws(StoreError) {
            held = try anchor.hold()
        } catch {
            guard error != .busy else { throw error }
            return nil
        }
        guard let held, let seen = held.seen else { return nil }
        try seen.check(head.position, tag: head.tag)
        return held
    }

    /// The connection and the keys.
    ///
    /// - Throws: `locked` after `lock()`.
    func unlocked() throws(StoreError) -> (Connection, Sealer) {
        guard let session = session.withLock({ $0 }) else { throw .locked }
        return (session.connection, session.sealer)
    }

    /// Notes an event that a person should know of.
    func note(_ event: StoreEvent) {
        events.withLock { $0.append(event) }
    }

    /// The events since the vault was opened.
    public var noted: [StoreEvent] { events.withLock { $0 } }

    /// The newest head that this store committed; nil for none.
    package var written: AnchorText? { newest.withLock { $0 } }

    /// Raises the anchor; notes a failure, because the commit before it has happened.
    func raiseAnchor(_ text: AnchorText) {
        guard !isReadOnly else { return }
        noting { () throws(StoreError) in try anchor.raise(to: text) }
    }

    private func noting(_ raise: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            try raise()
        } catch {
            note(.anchorNotWritten(error))
        }
    }
}

extension FileStore {
    /// The version of SQLite that keeps the rows: `3.40.1`.
    public static var engineVersion: String { Database.engineVersion }
}

/// How the newest head this machine has seen compares with the one in the file, at opening.
public enum AnchorFinding: String, Sendable, CaseIterable {
    /// They are the same.
    case matches
    /// The file was newer, which is normal after a crash; the anchor was raised.
    case raised
    /// There was none; one was made.
    case created
}
