public import RecordStore

/// What a full check of a vault in the Secret Service found.
public struct KeyringReport: Equatable, Sendable {
    /// Records that were read with their secrets.
    public let records: Int
    /// Records that another program wrote or changed: plain passwords only.
    public let foreign: Int
    /// Records that cannot be read.
    public let damaged: [DamagedRecord]
    /// Items that another program gave the vault's attributes, and that are no records: their labels.
    public let strays: [String]
    /// Number of the newest commit.
    public let generation: UInt64

    package init(records: Int, foreign: Int, damaged: [DamagedRecord], strays: [String], generation: UInt64) {
        self.records = records
        self.foreign = foreign
        self.damaged = damaged
        self.strays = strays
        self.generation = generation
    }
}
