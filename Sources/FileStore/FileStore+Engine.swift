extension FileStore {
    /// Which SQLite keeps the rows: `3.40.1`.
    public static var engineVersion: String { Database.engineVersion }
}
