internal import Files
internal import RecordStore
internal import VaultCrypto

/// Puts a new vault in its place: whole, or not at all (Schemas/vault-file.md section 1).
enum Creation {
    /// Fills a file of another name, brings it to the disk, and gives it the real name in one step.
    ///
    /// - Throws: `alreadyExists` when the name is taken, by then or meanwhile.
    static func place(
        _ path: String,
        entropy: Entropy,
        filling fill: (SQLRows) throws(StoreError) -> Void
    ) throws(StoreError) {
        let file = try CopyFile.begin(beside: path, entropy)
        try write(file.draft, fill)
        try file.finish(at: path)
    }

    /// Fills an empty file in one transaction with a rollback journal, which leaves a single file behind.
    static func write(
        _ draft: String,
        _ fill: (SQLRows) throws(StoreError) -> Void
    ) throws(StoreError) {
        let database = try Database(draft)
        try database.execute(
            """
            PRAGMA page_size = 4096;
            PRAGMA auto_vacuum = NONE;
            PRAGMA journal_mode = DELETE;
            PRAGMA synchronous = FULL;
            PRAGMA trusted_schema = OFF;
            BEGIN IMMEDIATE;
            """
        )
        // What is not committed goes when the connection closes, and the file with it.
        try Schema.create(database)
        try fill(SQLRows(database: database))
        try database.run("COMMIT")
    }
}
