/// What a full check of a vault in the Secret Service found.
public struct KeyringReport: Equatable, Sendable {
    /// Records that were read with their secrets.
    public let records: Int
    /// Records that another program wrote or changed: plain passwords only.
    public let foreign: Int
    /// Number of the newest commit.
    public let generation: UInt64

    package init(records: Int, foreign: Int, generation: UInt64) {
        self.records = records
        self.foreign = foreign
        self.generation = generation
    }
}
