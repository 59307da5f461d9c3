public import RecordStore

/// The collection, position and size of an open vault in the Secret Service.
public struct KeyringStatus: Equatable, Sendable {
    /// The vault's collection.
    public let collection: CollectionInfo
    /// The vault's position in its history.
    public let position: Position
    /// The number of records.
    public let records: UInt64
    /// Records with a lower revision were written before the last restore.
    public let floor: UInt64
    /// Whether commits are refused.
    public let isReadOnly: Bool
    /// The events since the vault was opened.
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

/// The result of a full check of a vault in the Secret Service.
public struct KeyringReport: Equatable, Sendable {
    /// The number of records that were read with their secrets.
    public let records: Int
    /// The unreadable records.
    public let damaged: [DamagedRecord]
    /// The labels of items that another program gave the vault's attributes.
    public let strays: [String]
    /// Records whose copy for other programs differs from the record.
    public let differing: [RecordID]
    /// The number of records that do not have their copy for other programs yet.
    public let unpublished: Int
    /// Number of the newest commit.
    public let generation: UInt64

    package init(
        records: Int,
        damaged: [DamagedRecord],
        strays: [String],
        differing: [RecordID],
        unpublished: Int,
        generation: UInt64
    ) {
        self.records = records
        self.damaged = damaged
        self.strays = strays
        self.differing = differing
        self.unpublished = unpublished
        self.generation = generation
    }
}
