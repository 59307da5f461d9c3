internal import GRDB
internal import GRDBSQLite
internal import RecordStore
internal import Synchronization

/// One connection to a vault file, set up so that an acknowledged commit is on the disk.
///
/// GRDB's own WAL mode is not used: it lowers `synchronous` to NORMAL, which loses acknowledged commits at a
/// power cut, and writes a table of its own into an empty log. Here every PRAGMA is ours and read back.
final class Connection: Sendable {
    /// How a file is opened.
    enum Mode: Sendable {
        case readWrite
        /// Nothing is written to the vault; the log beside it may be.
        case queryOnly
        /// A file on a medium that does not change, without a log.
        case immutable
        /// A copy that nobody else knows of, and that stays one file: without a log.
        case draft
    }

    let queue: DatabaseQueue
    private let place: OpenPlace
    /// What was closed last.
    private static let closed = Mutex<DatabaseQueue?>(nil)

    /// Opens a vault that exists, and finds that it is one.
    ///
    /// - Throws: `notAVault`, `newerFormat`, `schemaTampered`, `corrupt`, `busy`, `io`.
    init(_ path: String, _ mode: Mode) throws(StoreError) {
        guard Self.understandsURIs else { throw .io(code: 0) }
        place = OpenPlace(path, isShared: mode == .readWrite || mode == .queryOnly)
        do {
            // SQLite must never create the file; GRDB always asks it to, so the URI forbids it.
            let suffix =
                switch mode {
                case .readWrite, .queryOnly, .draft: "?mode=rw"
                case .immutable: "?mode=ro&immutable=1"
                }
            queue = try DatabaseQueue(
                path: Self.uri(path) + suffix,
                configuration: Self.configuration(mode)
            )
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Closes the file, and leaves the freeing of the rest to the next one that is closed: it is done by a thread
    /// that is made for it, which costs a program that ends now more than reading from the vault did.
    deinit {
        guard (try? queue.close()) != nil else { return }
        let queue = queue
        Self.closed.withLock { $0 = queue }
    }

    /// Makes a connection for reading one for writing, too.
    ///
    /// - Throws: `unsuitableFileSystem`, `busy`, `io`.
    func allowWrites() throws(StoreError) {
        try direct { database in
            try database.execute(sql: "PRAGMA query_only = OFF")
            try Pragmas.requireDurability(database)
        }
    }

    /// Runs `body` in one read transaction: a consistent snapshot.
    func read<R>(_ body: (SQLRows) throws(StoreError) -> R) throws(StoreError) -> R {
        try transaction(.deferred, body) { _ in }
    }

    /// Runs `body` in a write transaction and commits it durably.
    ///
    /// - Throws: What `body` throws, after undoing everything; `busy` after ten seconds of waiting;
    ///   `commitUnknown` when the commit itself fails in a way that leaves its outcome open.
    func write<R>(
        _ body: (SQLRows) throws(StoreError) -> R,
        committed: (R) -> Void
    ) throws(StoreError) -> R {
        try transaction(.immediate, body, committed)
    }

    /// Runs `body` outside of any transaction.
    func direct<R>(_ body: (Database) throws -> R) throws(StoreError) -> R {
        do {
            return try queue.inDatabase(body)
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Moves the log into the file and empties it, so that what was removed is gone from the disk.
    func truncateLog() throws(StoreError) {
        let isBusy = try direct { try Int.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        guard isBusy == 0 else { throw .busy }
    }

    private func transaction<R>(
        _ kind: Database.TransactionKind,
        _ body: (SQLRows) throws(StoreError) -> R,
        _ committed: (R) -> Void
    ) throws(StoreError) -> R {
        let result = queue.inDatabase { database in
            Result { () throws(StoreError) in
                try place.mendShared()
                do { try Self.begin(kind, database) } catch {
                    throw StoreError(database: error, in: database)
                }
                defer {
                    // After some failures SQLite has rolled back by itself.
                    if database.isInsideTransaction { try? database.rollback() }
                }
                if kind == .immediate { try place.check(database) }
                let value = try body(SQLRows(database: database))
                if kind == .immediate { try place.check(database) } else { try place.note() }
                do {
                    try database.cachedStatement(sql: "COMMIT").execute()
                } catch {
                    throw kind == .immediate
                        ? StoreError(commit: error) : StoreError(database: error, in: database)
                }
                committed(value)
                return value
            }
        }
        return try result.get()
    }

    private static func begin(_ kind: Database.TransactionKind, _ database: Database) throws {
        try database.cachedStatement(sql: "BEGIN \(kind.rawValue)").execute()
    }

    /// Lets a file be all of its vault, without a log beside it.
    static func requireOneFile(_ database: Database) throws {
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
            throw StoreError.busy
        }
    }

    private static func configuration(_ mode: Mode) -> Configuration {
        var configuration = Configuration()
        configuration.label = "hsip.vault"
        configuration.journalMode = .default
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = false
        configuration.readonly = mode == .immutable
        configuration.prepareDatabase { database in
            try Pragmas.apply(database)
            try Schema.check(database)
            switch mode {
            case .readWrite: try Pragmas.requireDurability(database)
            case .queryOnly, .immutable: try database.execute(sql: "PRAGMA query_only = ON")
            case .draft: try requireOneFile(database)
            }
        }
        return configuration
    }

    /// `file:` and the path with everything escaped that a URI gives a meaning to.
    static func uri(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var uri = Array("file:".utf8)
        // Two slashes at the beginning would name a host.
        let slashes = path.prefix { $0 == "/" }.count
        for byte in path.utf8.dropFirst(max(0, slashes - 1)) {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: uri.append(byte)
            default: uri += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: uri, as: UTF8.self)
    }

    /// Whether this SQLite reads `file:` names; without it a wrong file would be made.
    static let understandsURIs = unsafe sqlite3_compileoption_used("USE_URI") == 1
}
