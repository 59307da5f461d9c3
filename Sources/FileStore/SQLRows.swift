internal import Foundation
internal import GRDB
internal import RecordStore

/// The rows of a vault inside one transaction.
///
/// What it reads is not trusted: `Sealer` decides.
struct SQLRows: RowSource {
    let database: Database

    /// The one row of `head`; `tampered(.head)` when there is none or its types are not the table's.
    func head() throws(StoreError) -> HeadRow {
        let found = try translated { () throws -> (vaultID: [UInt8], epoch: UInt32?, sealed: [UInt8])? in
            let statement = try database.cachedStatement(
                sql: "SELECT vault_id, key_epoch, sealed FROM head"
            )
            let rows = try Row.fetchCursor(statement)
            guard let row = try rows.next() else { return nil }
            return (try row.bytes(0), row.number(1), try row.bytes(2))
        }
        guard let found, let epoch = found.epoch else { throw .tampered(.head) }
        return try HeadRow(vaultID: found.vaultID, epoch: epoch, sealed: found.sealed)
    }

    /// The key slots, ascending.
    func slots() throws(StoreError) -> Keyslots {
        let rows = try translated {
            let statement = try database.cachedStatement(
                sql: "SELECT n, kind, params, proof, sealed, note FROM slot ORDER BY n LIMIT ?"
            )
            // One more than allowed is enough to see that there are too many.
            let cursor = try Row.fetchCursor(statement, arguments: [Keyslots.maximum + 1])
            var rows: [SlotRow] = []
            while let row = try cursor.next() {
                guard let number = row.number(0), let kind = row.number(1) else {
                    throw StoreError.tampered(.slots)
                }
                rows.append(
                    SlotRow(
                        number: number,
                        kind: SlotKind(rawValue: kind),
                        params: try row.bytes(2),
                        proof: try row.bytes(3),
                        sealed: try row.bytes(4),
                        note: try row.bytes(5)
                    )
                )
            }
            return rows
        }
        return try Keyslots(rows)
    }

    func row(_ id: RowID, withBody: Bool) throws(StoreError) -> SealedRow? {
        try translated {
            let statement = try database.cachedStatement(
                sql: withBody
                    ? "SELECT seal, meta, body FROM record WHERE id = ?"
                    : "SELECT seal, meta FROM record WHERE id = ?"
            )
            let cursor = try Row.fetchCursor(statement, arguments: [Data(id.bytes)])
            guard let row = try cursor.next() else { return nil }
            return SealedRow(
                id: id,
                seal: try row.bytes(0),
                meta: try row.bytes(1),
                body: withBody ? try row.bytes(2) : []
            )
        }
    }

    func eachSeal(
        inLane lane: Int,
        _ visit: (RawSpan, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try translated {
            let isLast = lane == HeadContent.laneCount - 1
            let from = Data(lane == 0 ? [] : [UInt8(2 * lane)])
            let statement = try database.cachedStatement(
                sql: isLast
                    ? "SELECT id, seal FROM record WHERE id >= ? ORDER BY id"
                    : "SELECT id, seal FROM record WHERE id >= ? AND id < ? ORDER BY id"
            )
            let cursor = try Row.fetchCursor(
                statement,
                arguments: isLast ? [from] : [from, Data([UInt8(2 * lane + 2)])]
            )
            while try cursor.next() != nil {
                try statement.lend(0) { id throws(StoreError) in
                    try statement.lend(1) { seal throws(StoreError) in try visit(id, seal) }
                }
            }
        }
    }

    func eachMeta(
        _ visit: (RawSpan, RawSpan, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try translated {
            let statement = try database.cachedStatement(sql: "SELECT id, seal, meta FROM record ORDER BY id")
            let cursor = try Row.fetchCursor(statement)
            while try cursor.next() != nil {
                try statement.lend(0) { id throws(StoreError) in
                    try statement.lend(1) { seal throws(StoreError) in
                        try statement.lend(2) { meta throws(StoreError) in try visit(id, seal, meta) }
                    }
                }
            }
        }
    }

    /// Runs calls of the database and tells their errors as the contract does.
    func translated<R>(_ body: () throws -> R) throws(StoreError) -> R {
        do {
            return try body()
        } catch {
            throw StoreError(database: error, in: database)
        }
    }
}
