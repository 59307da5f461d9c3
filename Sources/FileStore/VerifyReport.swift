/// What a full verification has looked at; that it was returned at all says that everything was right.
public struct VerifyReport: Equatable, Sendable {
    /// Records opened, secrets too.
    public let records: Int
    /// Key slots covered by the head's digest.
    public let slots: Int
    /// The commit that was verified.
    public let generation: UInt64
}
