public import RecordStore

/// What a full check of a vault in the Secret Service found.
public struct KeyringReport: Equatable, Sendable {
    /// Records that were read with their secrets.
    public let records: Int
    /// Records that cannot be read.
    public let damaged: [DamagedRecord]
    /// Items that another program gave the vault's attributes: their labels.
    public let strays: [String]
    /// Records whose copy for other programs does not hold what they hold.
    public let differing: [RecordID]
    /// How many records have no copy for other programs yet.
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
