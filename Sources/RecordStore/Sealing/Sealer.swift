internal import Synchronization
package import VaultCrypto

/// The rules of sections 3 to 5 of the format for any storage of rows: rows in, records out; changes in, rows out.
///
/// The sealer knows neither SQL nor files. An adapter passes the head of a snapshot to `observe` before it reads. To
/// write, it asks for a plan inside its own transaction. The adapter ensures that one `Sealer` serves one snapshot at a
/// time.
package final class Sealer: Sendable {
    /// The id of the vault: 16 bytes, public.
    package let vaultID: [UInt8]
    /// The key epoch of these keys.
    package let epoch: UInt32
    /// The subkeys.
    package let keys: VaultKeys
    /// The source of nonces.
    package let entropy: Entropy
    /// The time in milliseconds of Unix time.
    package let now: @Sendable () -> UInt64
    let ledger: Mutex<Ledger>

    /// A sealer for one vault and one key.
    package init(
        keys: VaultKeys,
        vaultID: [UInt8],
        epoch: UInt32,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) {
        self.keys = keys
        self.vaultID = vaultID
        self.epoch = epoch
        self.entropy = entropy
        self.now = now
        ledger = Mutex(try Ledger(keys: keys))
    }

    /// Verifies the head of a snapshot; call it before any other call about the snapshot.
    ///
    /// - Throws: `tampered(.head)`, `rekeyed`, `rollback`, `fork`.
    @discardableResult
    package func observe(_ row: HeadRow) throws(StoreError) -> HeadContent {
        try ledger.withLock { ledger throws(StoreError) in
            try ledger.observe(row, vaultID: vaultID, epoch: epoch)
        }
    }

    /// The record with its secret; nil if the snapshot does not have it.
    package func find(_ id: RecordID, _ source: any RowSource) throws(StoreError) -> Record? {
        try ledger.withLock { ledger throws(StoreError) in
            guard let (row, info) = try Self.look(id, &ledger, source, withBody: true) else { return nil }
            guard !info.isNewer else { throw .newerRecord }
            do throws(StoreError) {
                return Record(info: info, body: try ledger.codec.openBody(row, revision: info.revision))
            } catch .tampered(.body) {
                throw .tampered(.record(DamagedRecord(id, lane: row.id.lane, part: .body)))
            }
        }
    }

    /// The record without its secret; nil if the snapshot does not have it.
    package func info(_ id: RecordID, _ source: any RowSource) throws(StoreError) -> RecordInfo? {
        try ledger.withLock { ledger throws(StoreError) in
            try Self.look(id, &ledger, source, withBody: false)?.info
        }
    }

    /// Finds a record's row in its verified lane and opens the meta.
    static func look(
        _ id: RecordID,
        _ ledger: inout Ledger,
        _ source: any RowSource,
        withBody: Bool
    ) throws(StoreError) -> (row: SealedRow, info: RecordInfo)? {
        guard let head = ledger.head else { throw .locked }
        let rowID = try ledger.codec.rowID(of: id)
        guard let row = try ledger.row(rowID, withBody: withBody, source) else { return nil }
        do throws(StoreError) {
            return (row, try ledger.codec.openMeta(row, head: head))
        } catch .tampered(.meta) {
            throw .tampered(.record(DamagedRecord(id, lane: rowID.lane, part: .meta)))
        }
    }

    /// Remembers a plan that has been written.
    package func adopt(_ plan: CommitPlan) {
        ledger.withLock { $0.adopt(plan) }
    }

    /// Forgets what was read, after a write that failed or whose outcome is open.
    package func forget() {
        ledger.withLock { $0.forget() }
    }
}

/// A source of sealed rows: one consistent snapshot of a table, a bucket, a directory.
///
/// Its rows are not authenticated; `Sealer` does that. Rows come ascending by the bytes of their id.
package protocol RowSource {
    /// One row, with or without its body; nil if there is none.
    func row(_ id: RowID, withBody: Bool) throws(StoreError) -> SealedRow?

    /// Visits id and seal of every row whose id begins with the bits of a lane.
    func eachSeal(
        inLane lane: Int,
        _ visit: (_ id: RawSpan, _ seal: RawSpan) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Visits id, seal and meta of every row.
    func eachMeta(
        _ visit: (_ id: RawSpan, _ seal: RawSpan, _ meta: RawSpan) throws(StoreError) -> Void
    ) throws(StoreError)
}
