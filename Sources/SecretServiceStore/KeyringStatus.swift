public import RecordStore

/// What can be said of an open vault in the Secret Service at a glance.
public struct KeyringStatus: Equatable, Sendable {
    /// The collection that holds it.
    public let collection: CollectionInfo
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

    package init(
        collection: CollectionInfo,
        position: Position,
        records: UInt64,
        floor: UInt64,
        isReadOnly: Bool,
        events: [StoreEvent]
    ) {
        self.collection = collection
        self.position = position
        self.records = records
        self.floor = floor
        self.isReadOnly = isReadOnly
        self.events = events
    }
}
