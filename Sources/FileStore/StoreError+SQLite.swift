internal import GRDB
internal import GRDBSQLite
internal import LocalState
internal import RecordStore

extension StoreError {
    /// An error of the database, as the contract tells it; errors of our own pass through.
    init(database error: any Error) {
        self =
            switch error {
            case let error as StoreError: error
            case let error as DatabaseError: Self.kind(error)
            default: .io(code: 0)
            }
    }

    /// The same, with the system's own number for what the database could not read or write.
    init(database error: any Error, in database: Database) {
        let found = StoreError(database: error)
        let code = unsafe sqlite3_system_errno(database.sqliteConnection)
        guard case .io = found, code > 0 else {
            self = found
            return
        }
        switch StoreError(errno: code) {
        case .diskFull: self = .diskFull
        case .outOfMemory: self = .outOfMemory
        case .io(let code): self = .io(code: code)
        default: self = found
        }
    }

    /// What a failed COMMIT means: a full disk or a lock left nothing behind; anything else stays open.
    init(commit error: any Error) {
        let error = StoreError(database: error)
        self =
            switch error {
            case .diskFull, .busy, .outOfMemory: error
            default: .commitUnknown
            }
    }

    private static func kind(_ error: DatabaseError) -> StoreError {
        if error.extendedResultCode == .SQLITE_IOERR_SHORT_READ { return .corrupt }
        if error.extendedResultCode == .SQLITE_IOERR_NOMEM { return .outOfMemory }
        return switch error.resultCode {
        case .SQLITE_FULL: .diskFull
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .busy
        case .SQLITE_CORRUPT, .SQLITE_TOOBIG: .corrupt
        case .SQLITE_NOTADB: .notAVault
        case .SQLITE_READONLY: .readOnly
        case .SQLITE_NOMEM: .outOfMemory
        // A table or column that the checked schema has is not there any more.
        case .SQLITE_ERROR, .SQLITE_SCHEMA: .schemaTampered
        default: .io(code: error.extendedResultCode.rawValue)
        }
    }
}
