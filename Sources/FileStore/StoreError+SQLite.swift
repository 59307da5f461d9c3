internal import CSQLiteLoader
internal import RecordStore

extension StoreError {
    /// Converts a result code of SQLite.
    ///
    /// - Parameters:
    ///   - code: the extended code.
    ///   - errno: the system's error number for a failed read or write; 0 if there is none.
    init(sqlite code: Int32, errno: Int32) {
        let found = Self.kind(code)
        guard case .io = found, errno > 0 else {
            self = found
            return
        }
        switch StoreError(errno: errno) {
        case .diskFull: self = .diskFull
        case .outOfMemory: self = .outOfMemory
        case .io(let code): self = .io(code: code)
        default: self = found
        }
    }

    /// The error of a failed COMMIT: a full disk or a lock left nothing behind; any other outcome is open.
    var ofCommit: StoreError {
        switch self {
        case .diskFull, .busy, .outOfMemory: self
        default: .commitUnknown
        }
    }

    private static func kind(_ code: Int32) -> StoreError {
        switch code {
        case shortRead: return .corrupt
        case noMemoryToRead: return .outOfMemory
        default: break
        }
        return switch code & 0xFF {
        case SQLITE_FULL: .diskFull
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_CORRUPT, SQLITE_TOOBIG: .corrupt
        case SQLITE_NOTADB: .notAVault
        case SQLITE_READONLY: .readOnly
        case SQLITE_NOMEM: .outOfMemory
        // A table or column that the checked schema has is not there any more.
        case SQLITE_ERROR, SQLITE_SCHEMA: .schemaTampered
        default: .io(code: sqliteCodes + code)
        }
    }

    // Swift does not see macros that are computed.
    private static let shortRead = SQLITE_IOERR | 2 << 8
    private static let noMemoryToRead = SQLITE_IOERR | 12 << 8
}
