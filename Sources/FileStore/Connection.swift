internal import RecordStore
internal import VaultCrypto

/// One connection to a vault file, set up so that an acknowledged commit is on the disk.
///
/// Calls from several threads run one by one. Every PRAGMA that durability depends on is read back.
final class Connection: Sendable {
    /// How a file is opened.
    enum Mode: Sendable {
        case readWrite
        /// Nothing is written to the vault, but possibly to the log beside it.
        case queryOnly
        /// A file on a medium that does not change, without a log.
        case immutable
        /// A copy that no other process knows, without a log, so that it stays one file.
        case draft
    }

    private let database: Exclusive<Database>
    private let place: OpenPlace

    /// Opens an existing vault, and checks that it is one.
    ///
    /// - Throws: `notAVault`, `newerFormat`, `schemaTampered`, `corrupt`, `busy`, `io`.
    init(_ path: String, _ mode: Mode) throws(StoreError) {
        place = OpenPlace(path, isShared: mode == .readWrite || mode == .queryOnly)
        let opened = try Database(path, isImmutable: mode == .immutable)
        try Pragmas.apply(opened)
        try Schema.check(opened)
        switch mode {
        case .readWrite: try Pragmas.requireDurability(opened)
        case .queryOnly, .immutable: try opened.execute("PRAGMA query_only = ON")
        case .draft: try Pragmas.requireOneFile(opened)
        }
        database = Exclusive(opened)
    }

    /// Makes a read-only connection writable.
    ///
    /// - Throws: `unsuitableFileSystem`, `busy`, `io`.
    func allowWrites() throws(StoreError) {
        try direct { database throws(StoreError) in
            try database.execute("PRAGMA query_only = OFF")
            try Pragmas.requireDurability(database)
        }
    }

    /// Runs `body` in one read transaction: a consistent snapshot.
    func read<R>(_ body: (SQLRows) throws(StoreError) -> R) throws(StoreError) -> R {
        try transaction(writes: false, body, { $0 }) { _ in }
    }

    /// Runs `body` in a write transaction and commits it durably.
    ///
    /// - Parameters:
    ///   - body: What is written.
    ///   - meaning: Returns the error to throw for a failure of the commit itself.
    ///   - committed: Called when the commit is on the disk.
    /// - Returns: what `body` returned.
    /// - Throws: What `body` throws, after undoing everything; `busy` after ten seconds of waiting;
    ///   `commitUnknown` when the commit itself fails in a way that leaves its outcome open.
    func write<R>(
        _ body: (SQLRows) throws(StoreError) -> R,
        failedCommit meaning: (StoreError) -> StoreError = { $0.ofCommit },
        committed: (R) -> Void
    ) throws(StoreError) -> R {
        try transaction(writes: true, body, meaning, committed)
    }

    /// Runs `body` outside of any transaction.
    func direct<R>(_ body: (Database) throws(StoreError) -> R) throws(StoreError) -> R {
        try database.with(body)
    }

    /// Moves the log into the file and empties it, so that removed data is gone from the disk.
    func truncateLog() throws(StoreError) {
        let isBusy = try direct { database throws(StoreError) in
            try database.number("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        guard isBusy == 0 else { throw .busy }
    }

    private func transaction<R>(
        writes: Bool,
        _ body: (SQLRows) throws(StoreError) -> R,
        _ failedCommit: (StoreError) -> StoreError,
        _ committed: (R) -> Void
    ) throws(StoreError) -> R {
        try direct { database throws(StoreError) in
            try place.mendShared()
            try database.run(writes ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED")
            defer {
                // After some failures SQLite has rolled back by itself.
                if database.isInTransaction { try? database.run("ROLLBACK") }
            }
            if writes { try place.noteFirst() }
            let value: R
            do throws(StoreError) {
                value = try body(SQLRows(database: database))
            } catch {
                // If the file was moved meanwhile, that explains the error.
                if writes { try place.check(database) }
                throw error
            }
            if writes { try place.check(database) } else { try place.note() }
            do throws(StoreError) {
                try database.commit()
            } catch {
                throw failedCommit(error)
            }
            committed(value)
            return value
        }
    }
}

/// The settings of every connection (Schemas/vault-file.md section 1).
enum Pragmas {
    /// Sets the options that are safe before the file is known to be a vault.
    static func apply(_ database: Database) throws(StoreError) {
        // One row may have a body of the longest length, and a name and attributes.
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

    /// Turns on the write-ahead log, and reads back that commits are synced.
    ///
    /// - Throws: `unsuitableFileSystem` when the file system cannot keep such a log.
    static func requireDurability(_ database: Database) throws(StoreError) {
        guard try database.text("PRAGMA journal_mode = WAL") == "wal",
            try database.number("PRAGMA synchronous") == 2
        else { throw StoreError.unsuitableFileSystem(type: 0) }
    }

    /// Makes a file hold the complete vault, without a log beside it.
    static func requireOneFile(_ database: Database) throws(StoreError) {
        guard try database.text("PRAGMA journal_mode = DELETE") == "delete" else { throw .busy }
    }
}
