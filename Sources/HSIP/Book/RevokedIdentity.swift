/// An identity that its owner ended; permanent.
public struct RevokedIdentity: Sendable, Hashable {
    /// The notice, signed by the identity itself.
    public let notice: RevokeCode
    /// Time when this vault accepted the notice, Unix seconds.
    public let seenAt: UInt64

    /// A revoked identity, fresh or as it was stored.
    public init(notice: RevokeCode, seenAt: UInt64) {
        self.notice = notice
        self.seenAt = seenAt
    }
}
