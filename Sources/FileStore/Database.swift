internal import CSQLiteLoader
internal import Glibc
package import RecordStore

/// One connection to an existing SQLite file, for one thread at a time.
///
/// Every failure becomes a `StoreError`, with the system's error number if SQLite knows it.
@safe package final class Database {
    private let sqlite: UnsafePointer<hsip_sqlite>
    private let handle: OpaquePointer
    private var prepared: [String: Statement] = [:]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the absolute path.
    ///   - isImmutable: whether nothing writes to the file while it is open, and it has no log.
    /// - Throws: `io`, `corrupt`, `outOfMemory`. SQLite also opens a file that is not a database; then the first
    ///   statement throws `notAVault`.
    package init(_ path: String, isImmutable: Bool = false) throws(StoreError) {
        guard let sqlite = unsafe hsip_sqlite_load() else { throw .io(code: ELIBACC) }
        unsafe self.sqlite = sqlite
        // Only CREATE would make a missing file. The connection needs no mutex, because its owner has one.
        let flags =
            (isImmutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_URI
            | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let uri = Self.uri(path) + (isImmutable ? "?immutable=1" : "")
        let code = unsafe sqlite.pointee.open_v2(uri, &opened, flags, nil)
        guard let opened = unsafe opened else { throw .outOfMemory }
        guard code == SQLITE_OK else {
            let failure = unsafe StoreError(sqlite: code, errno: sqlite.pointee.system_errno(opened))
            _ = unsafe sqlite.pointee.close_v2(opened)
            throw failure
        }
        unsafe handle = opened
        // Milliseconds that a statement waits for another process.
        _ = unsafe sqlite.pointee.busy_timeout(handle, 10_000)
    }

    deinit {
        prepared = [:]
        _ = unsafe sqlite.pointee.close_v2(handle)
    }

    /// Switches off every SQLite feature that a file could use beyond reading and writing rows.
    ///
    /// - Parameter longest: the most bytes of a row.
    /// - Throws: the error of an option that SQLite refuses.
    func harden(longest: Int) throws(StoreError) {
        let options = [
            (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, false), (SQLITE_DBCONFIG_ENABLE_VIEW, false),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false), (SQLITE_DBCONFIG_ENABLE_FKEY, false),
        ]
        for (option, isOn) in options {
            try require(unsafe hsip_sqlite_configure(sqlite, handle, option, isOn ? 1 : 0))
        }
        _ = unsafe sqlite.pointee.limit(handle, SQLITE_LIMIT_LENGTH, Int32(longest))
        _ = unsafe sqlite.pointee.limit(handle, SQLITE_LIMIT_ATTACHED, 1)
    }

    /// Keeps the log beside the file when the last connection closes.
    func keepLog() throws(StoreError) {
        try require(unsafe hsip_sqlite_configure(sqlite, handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
    }

    /// Runs one or more statements without values.
    package func execute(_ sql: String) throws(StoreError) {
        try require(unsafe sqlite.pointee.exec(handle, sql, nil, nil, nil))
    }

    /// A statement, prepared once and kept.
    package func statement(_ sql: String) throws(StoreError) -> Statement {
        // A statement that runs inside its own loop needs a second copy.
        if let kept = prepared[sql], !kept.isRunning { return kept }
        var made: OpaquePointer?
        try require(
            unsafe sqlite.pointee.prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        )
        guard let made = unsafe made else { throw .schemaTampered }
        let statement = unsafe Statement(made, of: handle, sqlite)
        prepared[sql] = statement
        return statement
    }

    /// Runs one statement that returns no row.
    ///
    /// Throws `taken`, if given, if a row with this key exists.
    package func run(
        _ sql: String,
        _ values: [Statement.Value] = [],
        ifTaken taken: StoreError? = nil
    ) throws(StoreError) {
        try statement(sql).each(values, ifTaken: taken) { _ in }
    }

    /// Commits a transaction.
    ///
    /// The system's error numbers are ignored: they may follow a commit that is already in the log, as with
    /// an fsync without space, and then the outcome is open.
    ///
    /// - Throws: `diskFull`, `busy` and `outOfMemory` only if SQLite's own code says so.
    func commit() throws(StoreError) {
        let code = try statement("COMMIT").result()
        guard code == SQLITE_OK else { throw StoreError(sqlite: code, errno: 0) }
    }

    /// The number in the first column of a statement's first row; nil without a row.
    package func number(_ sql: String) throws(StoreError) -> Int64? {
        try statement(sql).first { row in row.number(0) } ?? nil
    }

    /// The text in the first column of a statement's first row; nil without a row.
    package func text(_ sql: String) throws(StoreError) -> String? {
        try statement(sql).first { row in row.text(0) } ?? nil
    }

    /// The number of rows that the last statement changed.
    var changes: Int { unsafe Int(sqlite.pointee.changes(handle)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite.pointee.get_autocommit(handle) == 0 }

    /// Whether the open file was moved or removed.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let code = unsafe sqlite.pointee.file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code != SQLITE_OK || hasMoved != 0
    }

    /// Copies all pages of one moment, while others may write.
    func copy(into target: Database) throws(StoreError) {
        guard let copying = unsafe sqlite.pointee.backup_init(target.handle, "main", handle, "main") else {
            return try target.require(unsafe sqlite.pointee.errcode(target.handle))
        }
        // One step makes one snapshot.
        _ = unsafe sqlite.pointee.backup_step(copying, -1)
        try target.require(unsafe sqlite.pointee.backup_finish(copying))
    }

    private func require(_ code: Int32) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        throw unsafe StoreError(sqlite: code, errno: sqlite.pointee.system_errno(handle))
    }

    /// `file:` and the path, with every character escaped that has a meaning in a URI.
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

    /// The version of SQLite: `3.40.1`; `missing` if it cannot be loaded.
    static var engineVersion: String {
        let version = unsafe hsip_sqlite_load()?.pointee.libversion()
        return unsafe version.map { version in unsafe String(cString: version) } ?? "missing"
    }
}
