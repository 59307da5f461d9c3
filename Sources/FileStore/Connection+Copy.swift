internal import GRDB
internal import RecordStore

extension Connection {
    /// Copies the file as it is at one moment, with what its log has, into an empty one; others go on writing meanwhile.
    ///
    /// - Throws: `busy`, `corrupt`, `diskFull`, `io`.
    func copy(into path: String) throws(StoreError) {
        var configuration = Configuration()
        configuration.label = "hsip.copy"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(10)
        do {
            let target = try DatabaseQueue(path: Self.uri(path) + "?mode=rw", configuration: configuration)
            // In one step, so it is one snapshot.
            try queue.backup(to: target)
            // It says of itself that it has a log, as the vault does.
            try target.writeWithoutTransaction { try Self.requireOneFile($0) }
            try target.close()
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Puts all that another vault file holds in the place of what is here, in one transaction.
    ///
    /// - Parameter meanwhile: is done when nobody else can write any more, before anything is changed; what it throws
    ///   leaves everything as it was.
    func takeAll(of path: String, meanwhile: () throws(StoreError) -> Void) throws(StoreError) {
        let source = Self.uri(path) + "?mode=ro"
        try direct { try $0.execute(sql: "ATTACH DATABASE ? AS restored", arguments: [source]) }
        defer { try? direct { try $0.execute(sql: "DETACH DATABASE restored") } }
        try write { rows throws(StoreError) in
            try meanwhile()
            try rows.translated {
                try rows.database.execute(
                    sql: """
                        DELETE FROM main.record;
                        DELETE FROM main.slot;
                        DELETE FROM main.head;
                        INSERT INTO main.head SELECT k, vault_id, key_epoch, sealed FROM restored.head;
                        INSERT INTO main.slot SELECT n, kind, params, proof, sealed, note FROM restored.slot;
                        INSERT INTO main.record SELECT id, seal, meta, body FROM restored.record ORDER BY id;
                        """
                )
            }
        } committed: { _ in
        }
    }
}
