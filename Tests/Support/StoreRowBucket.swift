package import RecordStore
internal import Synchronization
internal import VaultCrypto

/// Sealed rows in a dictionary with one compare-and-swap on the head: what a distributed key-value store
/// offers, and all that the sealing layer asks for.
package final class StoreRowBucket: Sendable {
    /// One consistent state of the bucket.
    package struct Snapshot: RowSource, Sendable {
        /// The sealed head.
        package var head: HeadRow
        /// The sealed rows, by id.
        package var rows: [RowID: SealedRow] = [:]

        package func row(_ id: RowID, withBody: Bool) throws(StoreError) -> SealedRow? {
            rows[id].map { SealedRow(id: id, seal: $0.seal, meta: $0.meta, body: withBody ? $0.body : []) }
        }

        package func eachSeal(
            inLane lane: Int,
            _ visit: (RawSpan, RawSpan) throws(StoreError) -> Void
        ) throws(StoreError) {
            for row in rows.values.sorted(by: { $0.id < $1.id }) where row.id.lane == lane {
                try row.id.bytes.withBytes { id throws(StoreError) in
                    try row.seal.withBytes { seal throws(StoreError) in try visit(id, seal) }
                }
            }
        }

        package func eachMeta(
            _ visit: (RawSpan, RawSpan, RawSpan) throws(StoreError) -> Void
        ) throws(StoreError) {
            for row in rows.values.sorted(by: { $0.id < $1.id }) {
                try row.id.bytes.withBytes { id throws(StoreError) in
                    try row.seal.withBytes { seal throws(StoreError) in
                        try row.meta.withBytes { meta throws(StoreError) in try visit(id, seal, meta) }
                    }
                }
            }
        }
    }

    private let state: Mutex<Snapshot>

    /// A bucket with a head and nothing else.
    package init(head: HeadRow) {
        state = Mutex(Snapshot(head: head))
    }

    /// The bucket as it is now.
    package var snapshot: Snapshot { state.withLock { $0 } }

    /// Writes a plan if the head is still `expected`; false when someone else was first.
    package func swap(_ expected: HeadRow, _ plan: CommitPlan) -> Bool {
        state.withLock { state in
            guard state.head == expected else { return false }
            for row in plan.inserts + plan.updates { state.rows[row.id] = row }
            for id in plan.deletes { state.rows[id] = nil }
            state.head = plan.head
            return true
        }
    }

    /// Changes the bucket behind everyone's back.
    package func tamper(_ change: (inout Snapshot) -> Void) {
        state.withLock { change(&$0) }
    }
}
