internal import RecordStore

/// The settings of every connection (Schemas/vault-file.md section 1).
enum Pragmas {
    /// What is safe to set before the file is known to be a vault.
    static func apply(_ database: Database) throws(StoreError) {
        // A row has a body of the most bytes that a record may have, and its name and attributes beside it.
        try database.harden(longest: 2 * RecordLimits.body)
        try database.execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = ON;
            PRAGMA cell_size_check = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA mmap_size = 0;
            PRAGMA wal_autocheckpoint = 1000;
            PRAGMA journal_size_limit = 4194304;
            """
        )
    }

    /// Turns the write-ahead log on and reads back that commits are synced.
    ///
    /// - Throws: `unsuitableFileSystem` when the file system cannot keep such a log.
    static func requireDurability(_ database: Database) throws(StoreError) {
        guard try database.text("PRAGMA journal_mode = WAL") == "wal",
            try database.number("PRAGMA synchronous") == 2
        else { throw StoreError.unsuitableFileSystem(type: 0) }
    }

    /// Lets a file be all of its vault, without a log beside it.
    static func requireOneFile(_ database: Database) throws(StoreError) {
        guard try database.text("PRAGMA journal_mode = DELETE") == "delete" else { throw .busy }
    }
}
