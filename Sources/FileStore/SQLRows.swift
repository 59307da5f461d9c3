internal import RecordStore

/// The rows of a vault inside one transaction.
///
/// What it reads is not trusted: `Sealer` decides.
struct SQLRows: RowSource {
    let database: Database

    /// The one row of `head`; `tampered(.head)` when there is none or its types are not the table's.
    func head() throws(StoreError) -> HeadRow {
        let found = try database.statement("SELECT vault_id, key_epoch, sealed FROM head")
            .first { row throws(StoreError) in
                (
                    vaultID: try row.bytes(0), epoch: row.number(1).flatMap(UInt32.init(exactly:)),
                    sealed: try row.bytes(2)
                )
            }
        guard let found, let epoch = found.epoch else { throw .tampered(.head) }
        return try HeadRow(vaultID: found.vaultID, epoch: epoch, sealed: found.sealed)
    }

    /// The key slots, ascending.
    func slots() throws(StoreError) -> Keyslots {
        var rows: [SlotRow] = []
        // One more than allowed is enough to see that there are too many.
        try database.statement("SELECT n, kind, params, proof, sealed, note FROM slot ORDER BY n LIMIT ?")
            .each([.number(Int64(Keyslots.maximum + 1))]) { row throws(StoreError) in
                guard let number = row.number(0).flatMap(UInt32.init(exactly:)),
                    let kind = row.number(1).flatMap(UInt32.init(exactly:))
                else { throw .tampered(.slots) }
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
        return try Keyslots(rows)
    }

    func row(_ id: RowID, withBody: Bool) throws(StoreError) -> SealedRow? {
        let columns = withBody ? "seal, meta, body" : "seal, meta"
        return try database.statement("SELECT \(columns) FROM record WHERE id = ?")
            .first([.blob(id.bytes)]) { row throws(StoreError) in
                SealedRow(
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
        let isLast = lane == HeadContent.laneCount - 1
        let from = Statement.Value.blob(lane == 0 ? [] : [UInt8(2 * lane)])
        let statement = try database.statement(
            isLast
                ? "SELECT id, seal FROM record WHERE id >= ? ORDER BY id"
                : "SELECT id, seal FROM record WHERE id >= ? AND id < ? ORDER BY id"
        )
        try statement.each(isLast ? [from] : [from, .blob([UInt8(2 * lane + 2)])]) { row throws(StoreError) in
            try row.lend(0) { id throws(StoreError) in
                try row.lend(1) { seal throws(StoreError) in try visit(id, seal) }
            }
        }
    }

    func eachMeta(
        _ visit: (RawSpan, RawSpan, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try database.statement("SELECT id, seal, meta FROM record ORDER BY id").each {
            row throws(StoreError) in
            try row.lend(0) { id throws(StoreError) in
                try row.lend(1) { seal throws(StoreError) in
                    try row.lend(2) { meta throws(StoreError) in try visit(id, seal, meta) }
                }
            }
        }
    }
}
