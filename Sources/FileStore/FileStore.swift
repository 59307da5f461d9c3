public import RecordStore
internal import Synchronization
internal import VaultCrypto

/// A vault in one encrypted SQLite file (Schemas/vault-file.md).
///
/// Every answer is authenticated before it is given, and every commit is on the disk when it returns. Calls
/// wait for the disk, so they are made from an executor of their own; calls from several threads take turns.
public final class FileStore: Store {
    /// What is there while the vault is unlocked.
    struct Session: Sendable {
        let connection: Connection
        let sealer: Sealer
    }

    /// 16 bytes, public.
    public let vaultID: [UInt8]
    /// Where the vault lies.
    public let paths: VaultPaths
    /// Whether commits are refused: asked for, an old copy, or a medium that cannot be written.
    public let isReadOnly: Bool
    /// What the anchor said when the vault was opened.
    public let anchorFinding: AnchorFinding
    let anchor: Anchor
    /// What was remembered of the vault elsewhere when it was opened.
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
    /// A call that is running on another thread still ends as it began.
    public func lock() {
        session.withLock { $0 = nil }
    }

    /// Passes one consistent view to `body`, which must not call the store again.
    ///
    /// - Throws: What `body` throws; `tampered` and `corrupt` for a file that cannot be vouched for; `rekeyed`
    ///   when another process has changed the vault key; `rollback` when the file fell back meanwhile.
    public func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        let (connection, sealer) = try unlocked()
        return try connection.read { rows throws(StoreError) in
            let head = try sealer.observe(rows.head())
            return try body(SealedReader(sealer, rows, head))
        }
    }

    /// Makes all changes or none, durably, in one transaction.
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

    /// Works out a plan inside a write transaction, writes it, commits, and raises the anchor.
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
            // What the file holds now is anybody's guess: everything is read again.
            if isWriting { sealer.forget() }
            throw error
        }
        raise(held, to: written.anchor)
        return written
    }

    /// Raises the anchor after a commit, and notes it if that fails.
    func raise(_ held: consuming HeldAnchor?, to text: AnchorText) {
        newest.withLock { $0 = text }
        if let held {
            noting { () throws(StoreError) in try held.raise(to: text) }
        } else {
            raiseAnchor(text)
        }
    }

    /// Goes on with another key, unless the vault was locked meanwhile.
    func go(on connection: Connection, _ sealer: Sealer) {
        session.withLock { session in
            if session != nil { session = Session(connection: connection, sealer: sealer) }
        }
    }

    /// Finds that no other copy of the vault went ahead since it was opened, before a number is used twice.
    ///
    /// While the write lock is held no process raises the anchor above this file's head: it is raised after a
    /// commit. An anchor that cannot be read is told by `raiseAnchor`, and stops nothing.
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

    /// The connection and the keys; `locked` after `lock()`.
    func unlocked() throws(StoreError) -> (Connection, Sealer) {
        guard let session = session.withLock({ $0 }) else { throw .locked }
        return (session.connection, session.sealer)
    }

    /// Notes something that a person should hear about.
    func note(_ event: StoreEvent) {
        events.withLock { $0.append(event) }
    }

    /// What happened since the vault was opened.
    public var noted: [StoreEvent] { events.withLock { $0 } }

    /// The newest head that was committed through this store; nil when none was.
    package var written: AnchorText? { newest.withLock { $0 } }

    /// Raises the anchor; a failure is noted, because the commit it follows has happened.
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
    /// Which SQLite keeps the rows: `3.40.1`.
    public static var engineVersion: String { Database.engineVersion }
}
