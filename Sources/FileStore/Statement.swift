internal import CSQLiteLoader
package import RecordStore
internal import VaultCrypto

/// A prepared statement of a connection.
@safe package final class Statement {
    /// The value for a `?`.
    package enum Value: Sendable {
        case number(Int64)
        case blob([UInt8])
        case text(String)
    }

    private let sqlite: UnsafePointer<hsip_sqlite>
    private let handle: OpaquePointer
    private let database: OpaquePointer

    @unsafe init(_ handle: OpaquePointer, of database: OpaquePointer, _ sqlite: UnsafePointer<hsip_sqlite>) {
        unsafe self.sqlite = sqlite
        unsafe self.handle = handle
        unsafe self.database = database
    }

    deinit { _ = unsafe sqlite.pointee.finalize(handle) }

    /// Whether rows of the statement are still being read.
    var isRunning: Bool { unsafe sqlite.pointee.stmt_busy(handle) != 0 }

    /// Runs the statement and passes every row to `visit`.
    ///
    /// Throws `taken`, if given, if a row with this key exists, and what `visit` throws.
    package func each(
        _ values: [Value] = [],
        ifTaken taken: StoreError? = nil,
        _ visit: (Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        try run(values, ifTaken: taken) { row throws(StoreError) in
            try visit(row)
            return true
        }
    }

    /// Runs the statement up to the first row and returns what `read` makes of it; nil without a row.
    package func first<R>(
        _ values: [Value] = [],
        _ read: (Row) throws(StoreError) -> R
    ) throws(StoreError) -> R? {
        var found: R?
        try run(values, ifTaken: nil) { row throws(StoreError) in
            found = try read(row)
            return false
        }
        return found
    }

    /// Runs the statement without values and rows, and returns SQLite's extended code; `SQLITE_OK` on success.
    func result() -> Int32 {
        let code = unsafe sqlite.pointee.step(handle)
        let ending = unsafe sqlite.pointee.reset(handle)
        return code == SQLITE_DONE ? ending : code
    }

    /// Runs the statement until it ends, or `goesOn` returns false.
    private func run(
        _ values: [Value],
        ifTaken taken: StoreError?,
        _ goesOn: (Row) throws(StoreError) -> Bool
    ) throws(StoreError) {
        defer {
            _ = unsafe sqlite.pointee.reset(handle)
            _ = unsafe sqlite.pointee.clear_bindings(handle)
        }
        try bind(values[...], at: 1) { () throws(StoreError) in
            while true {
                let code = unsafe sqlite.pointee.step(handle)
                switch code {
                case SQLITE_ROW:
                    guard try !goesOn(unsafe Row(sqlite: sqlite, statement: handle)) else { continue }
                    // Resets a statement that is left early; this may fail.
                    return try require(unsafe sqlite.pointee.reset(handle))
                case SQLITE_DONE: return
                default:
                    if let taken, code & 0xFF == SQLITE_CONSTRAINT { throw taken }
                    throw failure(code)
                }
            }
        }
    }

    /// Lends SQLite the values while `body` runs, without copying them.
    private func bind(
        _ values: ArraySlice<Value>,
        at index: Int32,
        _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let value = values.first else { return try body() }
        let rest = values.dropFirst()
        switch value {
        case .number(let number):
            try require(unsafe sqlite.pointee.bind_int64(handle, index, number))
            try bind(rest, at: index + 1, body)
        // A null pointer would be NULL.
        case .blob(let bytes) where bytes.isEmpty:
            try require(unsafe sqlite.pointee.bind_zeroblob(handle, index, 0))
            try bind(rest, at: index + 1, body)
        case .blob(let bytes):
            try bytes.withBytes { span throws(StoreError) in
                try unsafe span.withUnsafeBytes { bytes throws(StoreError) in
                    let start = bytes.baseAddress
                    try require(
                        unsafe sqlite.pointee.bind_blob64(handle, index, start, UInt64(bytes.count), nil)
                    )
                    try bind(rest, at: index + 1, body)
                }
            }
        case .text(let text):
            try Array(text.utf8).withBytes { span throws(StoreError) in
                try unsafe span.withUnsafeBytes { bytes throws(StoreError) in
                    let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress
                    let size = UInt64(bytes.count)
                    try require(
                        unsafe sqlite.pointee.bind_text64(handle, index, start, size, nil, UInt8(SQLITE_UTF8))
                    )
                    try bind(rest, at: index + 1, body)
                }
            }
        }
    }

    private func require(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        unsafe StoreError(sqlite: code, errno: sqlite.pointee.system_errno(database))
    }
}

/// The current row of a statement, valid until the next step.
@safe package struct Row {
    fileprivate let sqlite: UnsafePointer<hsip_sqlite>
    fileprivate let statement: OpaquePointer

    /// Passes a blob to `body` in SQLite's own memory.
    ///
    /// The span is empty for NULL, so a value of another type fails when sizes are checked.
    func lend<R>(_ column: Int32, _ body: (RawSpan) throws(StoreError) -> R) throws(StoreError) -> R {
        // The pointer is asked for before the size, as SQLite demands, and lives until the next step.
        let start = unsafe sqlite.pointee.column_blob(statement, column)
        let count = unsafe Int(sqlite.pointee.column_bytes(statement, column))
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count).bytes)
    }

    /// A copy of a blob; empty for NULL.
    package func bytes(_ column: Int32) throws(StoreError) -> [UInt8] {
        try lend(column) { span in span.copied() }
    }

    /// A number; nil for any other value, whatever type the table declares.
    package func number(_ column: Int32) -> Int64? {
        guard unsafe sqlite.pointee.column_type(statement, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite.pointee.column_int64(statement, column)
    }

    /// A text; nil for any other value.
    package func text(_ column: Int32) -> String? {
        guard unsafe sqlite.pointee.column_type(statement, column) == SQLITE_TEXT,
            let text = unsafe sqlite.pointee.column_text(statement, column)
        else { return nil }
        return unsafe String(cString: text)
    }

    /// The names of the columns.
    package var names: [String] {
        (0..<(unsafe sqlite.pointee.column_count(statement))).map { column in
            unsafe sqlite.pointee.column_name(statement, column).map { name in unsafe String(cString: name) }
                ?? ""
        }
    }
}
