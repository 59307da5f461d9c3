/// A store that reads copies of itself with the keys that it has in memory.
public protocol CopyReading: Store {
    /// Reads a copy completely; it does not become the state of this store.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - revisions: the revisions of the store's present records.
    /// - Returns: the report; damaged records are named in it, not thrown.
    /// - Throws: `notFound`; `unsafeFile` for anything but an ordinary file; `readOnlyWithLog` for a file with a
    ///   log beside it; `wrongSecret` for a copy of another vault or under another key of this one; `notAVault`,
    ///   `newerFormat`, `schemaTampered`, `tampered`, `corrupt`; `locked`; `io`.
    func readCopy(_ path: String, beside revisions: [Revision]) throws(StoreError) -> CopyReport
}

/// The result of reading a copy of a vault completely, with the vault's own keys.
public struct CopyReport: Codable, Equatable, Sendable {
    /// The copied state of the vault.
    public let position: Position
    /// The tag of the copied state's head.
    public let headTag: [UInt8]
    /// The number of records.
    public let records: Int
    /// The number of key slots in the copy.
    public let slots: Int
    /// When the file was last written, Unix seconds.
    public let modified: Int64
    /// Records that fail authentication.
    public let damaged: [DamagedRecord]
    /// The number of the store's records that the copy does not have, or has only in another version.
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
