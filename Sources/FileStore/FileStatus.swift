public import RecordStore

/// What can be said of an open vault at a glance.
public struct FileStatus: Equatable, Sendable {
    /// Where it lies.
    public let paths: VaultPaths
    /// Its place in its history.
    public let position: Position
    /// How many records it has.
    public let records: UInt64
    /// Records with a revision below this predate the last restore.
    public let floor: UInt64
    /// Whether commits are refused.
    public let isReadOnly: Bool
    /// What happened since it was opened.
    public let events: [StoreEvent]
}
