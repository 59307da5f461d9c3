public import RecordStore

/// What a full verification has looked at, and the records that it found to be damaged.
public struct VerifyReport: Equatable, Sendable {
    /// Records opened, secrets too.
    public let records: Int
    /// Those of them that cannot be vouched for.
    public let damaged: [DamagedRecord]
    /// Key slots covered by the head's digest.
    public let slots: Int
    /// The commit that was verified.
    public let position: Position
    /// Records with a revision below this predate the last restore.
    public let floor: UInt64
    /// The 16-byte tag of the head, which names this state of the vault: no two states have the same.
    public let headTag: [UInt8]

    /// The commit that was verified.
    public var generation: UInt64 { position.generation }
}
