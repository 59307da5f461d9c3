internal import CSQLiteLoader
internal import CSodium
internal import Glibc

/// A file of the same tables, rows and durability as a vault, used through SQLite alone: nothing is sealed,
/// verified or remembered, and a commit writes random bytes of the same sizes.
@safe final class BareVault {
    private let sqlite: UnsafePointer<hsip_sqlite>
    private let database: OpaquePointer
    private let begin: OpaquePointer
    private let insert: OpaquePointer
    private let update: OpaquePointer
    private let commit: OpaquePointer
    private let id = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
    private let blob = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 8)

    /// Opens a file, as a vault is opened.
    init(path: String) throws {
        guard let sqlite = unsafe hsip_sqlite_load() else { throw BenchmarkError.system(ELIBACC) }
        unsafe self.sqlite = sqlite
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let result = unsafe sqlite.pointee.open_v2(path, &opened, flags, nil)
        guard result == SQLITE_OK, let opened = unsafe opened else { throw BenchmarkError.sqlite(result) }
        unsafe database = opened
        unsafe try Self.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
            PRAGMA wal_autocheckpoint = 1000; PRAGMA mmap_size = 0;
            CREATE TABLE IF NOT EXISTS head(k INTEGER PRIMARY KEY,sealed BLOB NOT NULL)STRICT;
            CREATE TABLE IF NOT EXISTS record(id BLOB PRIMARY KEY NOT NULL,seal BLOB NOT NULL,
            meta BLOB NOT NULL,body BLOB NOT NULL)STRICT,WITHOUT ROWID;
            INSERT INTO head VALUES(1, x'') ON CONFLICT DO NOTHING;
            """,
            opened,
            sqlite
        )
        unsafe begin = try Self.statement("BEGIN IMMEDIATE", opened, sqlite)
        unsafe insert = try Self.statement("INSERT INTO record VALUES(?, ?, ?, ?)", opened, sqlite)
        unsafe update = try Self.statement("UPDATE head SET sealed = ? WHERE k = 1", opened, sqlite)
        unsafe commit = try Self.statement("COMMIT", opened, sqlite)
        unsafe randombytes_buf(blob, 4_096)
        for (index, size) in SampleVault.rowSizes.enumerated() {
            let memory = unsafe index == 0 ? id : blob
            _ = unsafe sqlite.pointee.bind_blob64(insert, Int32(index + 1), memory, UInt64(size), nil)
        }
        _ = unsafe sqlite.pointee.bind_blob64(update, 1, blob, UInt64(SampleVault.headSize), nil)
    }

    deinit {
        unsafe [begin, insert, update, commit].forEach { _ = unsafe sqlite.pointee.finalize($0) }
        _ = unsafe sqlite.pointee.close_v2(database)
        unsafe id.deallocate()
        unsafe blob.deallocate()
    }

    /// One durable commit: a new record row and a new head.
    func put() throws {
        try unsafe step(begin)
        try insertRow()
        unsafe randombytes_buf(blob, 16)
        try unsafe step(update)
        try unsafe step(commit)
    }

    /// Adds rows in one transaction.
    func fill(_ count: Int) throws {
        try unsafe step(begin)
        for _ in 0..<count { try insertRow() }
        try unsafe step(commit)
    }

    /// Moves the log into the file.
    func checkpoint() throws { try unsafe Self.execute("PRAGMA wal_checkpoint(TRUNCATE)", database, sqlite) }

    /// Removes what was added last, down to `count` rows.
    func shrink(to count: Int) throws {
        try unsafe Self.execute(
            "DELETE FROM record WHERE id IN (SELECT id FROM record LIMIT -1 OFFSET \(count))",
            database,
            sqlite
        )
    }

    /// The head and one row, through statements made for it.
    func readOnce() throws {
        for sql in ["SELECT sealed FROM head", "SELECT seal, meta, body FROM record LIMIT 1"] {
            let statement = unsafe try Self.statement(sql, database, sqlite)
            defer { _ = unsafe sqlite.pointee.finalize(statement) }
            guard unsafe sqlite.pointee.step(statement) == SQLITE_ROW else {
                throw BenchmarkError.missingRecord
            }
        }
    }

    /// Reads every row; hashes and decrypts as much as a verified list does, and makes nothing of it.
    func scan() throws {
        let statement = unsafe try Self.statement(
            "SELECT id, seal, meta FROM record ORDER BY id",
            database,
            sqlite
        )
        defer { _ = unsafe sqlite.pointee.finalize(statement) }
        var digest = [UInt8](repeating: 0, count: 16)
        var plain = [UInt8](repeating: 0, count: SampleVault.metaSize)
        let key = [UInt8](repeating: 1, count: 32)
        while unsafe sqlite.pointee.step(statement) == SQLITE_ROW {
            guard
                let id = unsafe sqlite.pointee.column_blob(statement, 0)?.assumingMemoryBound(to: UInt8.self),
                let seal = unsafe sqlite.pointee.column_blob(statement, 1)?.assumingMemoryBound(
                    to: UInt8.self
                ),
                let meta = unsafe sqlite.pointee.column_blob(statement, 2)?.assumingMemoryBound(
                    to: UInt8.self
                )
            else { throw BenchmarkError.missingRecord }
            unsafe crypto_generichash(&digest, 16, seal, 80, key, 32)
            unsafe crypto_generichash(&digest, 16, id, 16, key, 32)
            // The stream cipher and the authenticator over the same bytes; the row is random, so the tag is
            // computed rather than compared.
            unsafe crypto_stream_xchacha20_xor(&plain, meta, UInt64(plain.count), seal, key)
            unsafe crypto_onetimeauth_poly1305(&digest, meta, UInt64(plain.count), key)
        }
    }

    private func insertRow() throws {
        unsafe randombytes_buf(id, 16)
        try unsafe step(insert)
    }

    private func step(_ statement: OpaquePointer) throws {
        let result = unsafe sqlite.pointee.step(statement)
        guard result == SQLITE_DONE else { throw BenchmarkError.sqlite(result) }
        _ = unsafe sqlite.pointee.reset(statement)
    }

    private static func execute(
        _ sql: String,
        _ database: OpaquePointer,
        _ sqlite: UnsafePointer<hsip_sqlite>
    ) throws {
        let result = unsafe sqlite.pointee.exec(database, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw BenchmarkError.sqlite(result) }
    }

    private static func statement(
        _ sql: String,
        _ database: OpaquePointer,
        _ sqlite: UnsafePointer<hsip_sqlite>
    ) throws -> OpaquePointer {
        var made: OpaquePointer?
        let result = unsafe sqlite.pointee.prepare_v3(database, sql, -1, 0, &made, nil)
        guard result == SQLITE_OK, let made = unsafe made else { throw BenchmarkError.sqlite(result) }
        return unsafe made
    }
}
