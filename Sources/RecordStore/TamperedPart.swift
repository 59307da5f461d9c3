/// The part of a vault that failed its authentication.
public enum TamperedPart: Equatable, Sendable, Codable {
    /// The head: keys, epoch, count, sums.
    case head
    /// The key slots as a whole.
    case slots
    /// The set of rows in one of the 128 lanes: a row was added, removed, moved or put back.
    case recordSet(lane: Int)
    /// What a row says about its record; `row` is the 16-byte id of the row.
    case meta(row: [UInt8])
    /// The secret of a row; `row` is the 16-byte id of the row.
    case body(row: [UInt8])
    /// A record, by its name where that can be told.
    case record(DamagedRecord)
}
