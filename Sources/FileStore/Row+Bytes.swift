internal import Foundation
internal import GRDB
internal import RecordStore

extension Row {
    /// A copy of a blob; empty for NULL, so a value of another type fails where sizes are checked.
    func bytes(_ index: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: index) { data in data.map { Array($0) } ?? [] }
    }

    /// A number of 32 bits; nil for anything else, whatever the table's type promised.
    func number(_ index: Int) -> UInt32? {
        guard case .int64(let number) = (self[index] as DatabaseValue).storage else { return nil }
        return UInt32(exactly: number)
    }
}
