internal import GRDB
internal import GRDBSQLite
internal import RecordStore

extension Statement {
    /// Lends a blob of the row that a cursor over this statement stands on, where SQLite keeps it.
    ///
    /// A scan reads three blobs of every row: a copy of each, or an object around it, would cost more than
    /// reading them. Empty for NULL, so a value of another type fails where sizes are checked.
    func lend<R>(_ index: Int32, _ body: (RawSpan) throws(StoreError) -> R) throws(StoreError) -> R {
        // The pointer is asked for before the size, as SQLite demands, and lives until the next step.
        let start = unsafe sqlite3_column_blob(sqliteStatement, index)
        let count = unsafe Int(sqlite3_column_bytes(sqliteStatement, index))
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count).bytes)
    }
}
