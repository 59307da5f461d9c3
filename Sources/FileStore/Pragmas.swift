internal import GRDB
internal import GRDBSQLite
internal import RecordStore

/// The settings of every connection (Schemas/vault-file.md section 1).
enum Pragmas {
    /// What is safe to set before the file is known to be a vault.
    static func apply(_ database: Database) throws {
        // Not one by one through GRDB, which takes several times as long.
        let code = unsafe sqlite3_exec(
            database.sqliteConnection,
            """
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA mmap_size = 0;
            PRAGMA wal_autocheckpoint = 1000;
            PRAGMA journal_size_limit = 4194304;
            """,
            nil,
            nil,
            nil
        )
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Turns the write-ahead log on and reads back that commits are synced.
    ///
    /// - Throws: `unsuitableFileSystem` when the file system cannot keep such a log.
    static func requireDurability(_ database: Database) throws {
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal",
            try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2
        else { throw StoreError.unsuitableFileSystem(type: 0) }
    }
}
