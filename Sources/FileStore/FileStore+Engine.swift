internal import GRDB

extension FileStore {
    /// Which SQLite keeps the rows: `3.40.1`; empty if it does not say.
    public static var engineVersion: String {
        let version = try? DatabaseQueue().inDatabase {
            try String.fetchOne($0, sql: "SELECT sqlite_version()")
        }
        return version ?? ""
    }
}
