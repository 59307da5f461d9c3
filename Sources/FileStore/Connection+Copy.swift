internal import RecordStore

extension Connection {
    /// Copies one snapshot of the file and its log into an empty file, while other processes may write.
    ///
    /// - Throws: `busy`, `corrupt`, `diskFull`, `io`.
    func copy(into path: String) throws(StoreError) {
        try direct { database throws(StoreError) in try Self.copy(database, into: path) }
    }

    /// Copies an open database; inside a transaction, the copy is of the transaction's snapshot.
    static func copy(_ database: Database, into path: String) throws(StoreError) {
        let target = try Database(path)
        try database.copy(into: target)
        // The copied header says that the file has a log, as the vault's does.
        try Pragmas.requireOneFile(target)
    }

    /// Replaces all rows by those of another vault file, in one transaction.
    ///
    /// `meanwhile` runs when no other process can write any more, before anything is changed; if it throws, nothing
    /// changes.
    func takeAll(of path: String, meanwhile: () throws(StoreError) -> Void) throws(StoreError) {
        let source = Statement.Value.text(Database.uri(path) + "?mode=ro")
        try direct { database throws(StoreError) in
            try database.run("ATTACH DATABASE ? AS restored", [source])
        }
        defer { try? direct { database throws(StoreError) in try database.run("DETACH DATABASE restored") } }
        try write { rows throws(StoreError) in
            try meanwhile()
            try rows.database.execute(
                """
                DELETE FROM main.record;
                DELETE FROM main.slot;
                DELETE FROM main.head;
                INSERT INTO main.head SELECT k, vault_id, key_epoch, sealed FROM restored.head;
                INSERT INTO main.slot SELECT n, kind, params, proof, sealed, note FROM restored.slot;
                INSERT INTO main.record SELECT id, seal, meta, body FROM restored.record ORDER BY id;
                """
            )
        } committed: { _ in
        }
    }
}
