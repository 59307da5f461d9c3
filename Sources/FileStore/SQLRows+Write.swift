internal import RecordStore

extension SQLRows {
    /// Writes a plan inside the present transaction.
    ///
    /// Rows that should not be there and are, or should be and are not, were changed behind our back.
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

    /// Puts the records of another file, a head and slots in the place of all that is here.
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
