internal import RecordStore

/// The tables of format 1, and the marks in the file's header (Schemas/vault-file.md section 1).
enum Schema {
    /// "HSVT".
    static let applicationID: Int64 = 0x4853_5654
    /// The format this program reads and writes.
    static let version = Int64(HeadRow.format)

    /// Compared byte for byte at every open: any other table, index, trigger or view was planted.
    static let tables = [
        "CREATE TABLE head(k INTEGER PRIMARY KEY CHECK(k=1),vault_id BLOB NOT NULL,"
            + "key_epoch INTEGER NOT NULL,sealed BLOB NOT NULL)STRICT",
        "CREATE TABLE record(id BLOB PRIMARY KEY NOT NULL,seal BLOB NOT NULL,meta BLOB NOT NULL,"
            + "body BLOB NOT NULL)STRICT,WITHOUT ROWID",
        "CREATE TABLE slot(n INTEGER PRIMARY KEY,kind INTEGER NOT NULL,params BLOB NOT NULL,"
            + "proof BLOB NOT NULL,sealed BLOB NOT NULL,note BLOB NOT NULL)STRICT",
    ]

    /// Makes the tables in a new file.
    static func create(_ database: Database) throws(StoreError) {
        for table in tables { try database.execute(table) }
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Checks that the file is a vault of a known format, with these tables and nothing else.
    ///
    /// - Throws: `notAVault`, `newerFormat`, `schemaTampered`.
    static func check(_ database: Database) throws(StoreError) {
        guard try database.number("PRAGMA application_id") == applicationID else {
            throw .notAVault
        }
        let found = try database.number("PRAGMA user_version") ?? 0
        guard found <= version else {
            throw .newerFormat(
                found: UInt32(truncatingIfNeeded: found),
                supported: HeadRow.format
            )
        }
        guard found == version else { throw .notAVault }
        var texts: [String?] = []
        try database.statement("SELECT sql FROM sqlite_schema ORDER BY sql").each { texts.append($0.text(0)) }
        guard texts == tables else { throw .schemaTampered }
    }
}
