import FileStore
import RecordStore

/// A row of a table, as it is in the file.
struct StoredRow {
    /// In the order of the columns.
    let values: [Statement.Value]
    private let names: [String]

    init(_ row: Row) throws(StoreError) {
        names = row.names
        var values: [Statement.Value] = []
        for column in names.indices.map(Int32.init) {
            if let number = row.number(column) {
                values.append(.number(number))
            } else {
                values.append(.blob(try row.bytes(column)))
            }
        }
        self.values = values
    }

    /// A blob, by the name of its column; empty for what is none.
    subscript(name: String) -> [UInt8] {
        if case .blob(let bytes) = value(name) { bytes } else { [] }
    }

    /// A number, by the name of its column; 0 for what is none.
    func number(_ name: String) -> UInt32 {
        if case .number(let number) = value(name) { UInt32(number) } else { 0 }
    }

    private func value(_ name: String) -> Statement.Value? {
        names.firstIndex(of: name).map { values[$0] }
    }
}

extension Database {
    func rows(_ sql: String, _ values: [Statement.Value] = []) throws(StoreError) -> [StoredRow] {
        var rows: [StoredRow] = []
        try statement(sql).each(values) { row throws(StoreError) in rows.append(try StoredRow(row)) }
        return rows
    }

    /// The blob in the first column of the first row.
    func blob(_ sql: String) throws(StoreError) -> [UInt8]? {
        try statement(sql).first { row throws(StoreError) in try row.bytes(0) }
    }
}
