internal import Foundation
internal import GRDB
internal import RecordStore

extension SQLRows {
    /// Writes a plan inside the present transaction.
    ///
    /// Rows that should not be there and are, or should be and are not, were changed behind our back.
    func write(_ plan: CommitPlan) throws(StoreError) {
        try translated {
            for row in plan.inserts { try write(row) }
            for row in plan.updates {
                let statement = try database.cachedStatement(
                    sql: "UPDATE record SET seal = ?, meta = ?, body = ? WHERE id = ?"
                )
                try statement.execute(
                    arguments: [Data(row.seal), Data(row.meta), Data(row.body), Data(row.id.bytes)])
                try requireOneChange(row.id)
            }
            for id in plan.deletes {
                try database.cachedStatement(sql: "DELETE FROM record WHERE id = ?")
                    .execute(arguments: [Data(id.bytes)])
                try requireOneChange(id)
            }
            if let slots = plan.slots {
                try database.execute(sql: "DELETE FROM slot")
                for slot in slots.rows { try insert(slot) }
            }
            try database.cachedStatement(sql: "UPDATE head SET sealed = ? WHERE k = 1")
                .execute(arguments: [Data(plan.head.sealed)])
            guard database.changesCount == 1 else { throw StoreError.tampered(.head) }
        }
    }

    /// Writes head and slots of a new vault.
    func create(_ head: HeadRow, _ slots: Keyslots) throws(StoreError) {
        try translated {
            try database.execute(
                sql: "INSERT INTO head(k, vault_id, key_epoch, sealed) VALUES(1, ?, ?, ?)",
                arguments: [Data(head.vaultID), Int64(head.epoch), Data(head.sealed)]
            )
            for slot in slots.rows { try insert(slot) }
        }
    }

    /// Writes a row that must not be there yet.
    func insert(_ row: SealedRow) throws(StoreError) {
        try translated { try write(row) }
    }

    private func write(_ row: SealedRow) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO record(id, seal, meta, body) VALUES(?, ?, ?, ?)"
        )
        do {
            try statement.execute(
                arguments: [Data(row.id.bytes), Data(row.seal), Data(row.meta), Data(row.body)])
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw StoreError.tampered(.recordSet(lane: row.id.lane))
        }
    }

    private func insert(_ slot: SlotRow) throws {
        try database.execute(
            sql: "INSERT INTO slot(n, kind, params, proof, sealed, note) VALUES(?, ?, ?, ?, ?, ?)",
            arguments: [
                Int64(slot.number), Int64(slot.kind.rawValue), Data(slot.params), Data(slot.proof),
                Data(slot.sealed), Data(slot.note),
            ]
        )
    }

    private func requireOneChange(_ id: RowID) throws {
        guard database.changesCount == 1 else { throw StoreError.tampered(.recordSet(lane: id.lane)) }
    }
}
