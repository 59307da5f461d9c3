/// A store that reads copies of itself with the keys that it has in memory.
public protocol CopyReading: Store {
    /// Reads a copy whole; it does not become the state of this store.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - revisions: those of the records that the store has now.
    /// - Returns: what the copy is. Damaged records are named, and no error.
    /// - Throws: `notFound`; `unsafeFile` for what is no ordinary file; `readOnlyWithLog` for a file with a
    ///   log beside it; `wrongSecret` for a copy of another vault or under another key of this one; `notAVault`,
    ///   `newerFormat`, `schemaTampered`, `tampered`, `corrupt`; `locked`; `io`.
    func readCopy(_ path: String, beside revisions: [Revision]) throws(StoreError) -> CopyReport
}

/// The result of reading a copy of a vault whole, with the vault's own keys.
public struct CopyReport: Codable, Equatable, Sendable {
    /// The copied state of the vault.
    public let position: Position
    /// The tag that names that state.
    public let headTag: [UInt8]
    /// The number of records.
    public let records: Int
    /// Key slots in it.
    public let slots: Int
    /// When the file was last written, Unix seconds.
    public let modified: Int64
    /// Records that cannot be vouched for.
    public let damaged: [DamagedRecord]
    /// Records that the store has now, and the copy not, or not in this version.
    public let newerHere: Int

    /// Collects the results.
    public init(
        position: Position,
        headTag: [UInt8],
        records: Int,
        slots: Int,
        modified: Int64,
        damaged: [DamagedRecord],
        newerHere: Int
    ) {
        (self.position, self.headTag, self.records, self.slots) = (position, headTag, records, slots)
        (self.modified, self.damaged, self.newerHere) = (modified, damaged, newerHere)
    }
}
