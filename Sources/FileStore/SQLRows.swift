internal import RecordStore

/// The rows of a vault inside one transaction.
///
/// The rows are not authenticated here: `Sealer` does that.
struct SQLRows: RowSource {
    let database: Database

    /// The one row of `head`; throws `tampered(.head)` if it is missing or has other types.
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

extension SQLRows {
    /// Writes a plan inside the present transaction.
    ///
    /// If a row exists that should not, or is missing, another process changed the file unnoticed.
    func write(_ plan: CommitPlan) throws(StoreError) {
        for row in plan.inserts { try insert(row) }
        for row in plan.updates {
            try database.run(
                "UPDATE record SET seal = ?, meta = ?, body = ? WHERE id = ?",
                [.blob(row.seal), .blob(row.meta), .blob(row.body), .blob(row.id.bytes)]
            )
            try requireOneChange(row.id)
        }
        for id in plan.deletes {
            try database.run("DELETE FROM record WHERE id = ?", [.blob(id.bytes)])
            try requireOneChange(id)
        }
        if let slots = plan.slots {
            try database.run("DELETE FROM slot")
            for slot in slots.rows { try insert(slot) }
        }
        try database.run("UPDATE head SET sealed = ? WHERE k = 1", [.blob(plan.head.sealed)])
        guard database.changes == 1 else { throw .tampered(.head) }
    }

    /// Writes head and slots of a new vault.
    func create(_ head: HeadRow, _ slots: Keyslots) throws(StoreError) {
        try database.run(
            "INSERT INTO head(k, vault_id, key_epoch, sealed) VALUES(1, ?, ?, ?)",
            [.blob(head.vaultID), .number(Int64(head.epoch)), .blob(head.sealed)]
        )
        for slot in slots.rows { try insert(slot) }
    }

    /// Writes a row that must not be there yet.
    func insert(_ row: SealedRow) throws(StoreError) {
        try database.run(
            "INSERT INTO record(id, seal, meta, body) VALUES(?, ?, ?, ?)",
            [.blob(row.id.bytes), .blob(row.seal), .blob(row.meta), .blob(row.body)],
            ifTaken: .tampered(.recordSet(lane: row.id.lane))
        )
    }

    /// Replaces all rows by the records of another file, a head and slots.
    func replaceAll(by other: SQLRows, _ head: HeadRow, _ slots: Keyslots) throws(StoreError) {
        for table in ["record", "slot", "head"] { try database.run("DELETE FROM \(table)") }
        try create(head, slots)
        try other.database.statement("SELECT id, seal, meta, body FROM record ORDER BY id").each {
            row throws(StoreError) in
            guard let id = RowID(try row.bytes(0)) else { throw .corrupt }
            try insert(
                SealedRow(id: id, seal: try row.bytes(1), meta: try row.bytes(2), body: try row.bytes(3))
            )
        }
    }

    private func insert(_ slot: SlotRow) throws(StoreError) {
        try database.run(
            "INSERT INTO slot(n, kind, params, proof, sealed, note) VALUES(?, ?, ?, ?, ?, ?)",
            [
                .number(Int64(slot.number)), .number(Int64(slot.kind.rawValue)), .blob(slot.params),
                .blob(slot.proof), .blob(slot.sealed), .blob(slot.note),
            ]
        )
    }

    private func requireOneChange(_ id: RowID) throws(StoreError) {
        guard database.changes == 1 else { throw .tampered(.recordSet(lane: id.lane)) }
    }
}
