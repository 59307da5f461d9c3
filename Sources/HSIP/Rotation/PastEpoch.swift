/// A replaced epoch: it still opens late messages for the grace time, and seals nothing.
public struct PastEpoch<Scheme: RotationScheme>: Sendable {
    /// What is left of it.
    public var epoch: Epoch<Scheme>
    /// I applied the ACCEPT, so the peer may use it until it hears from me.
    public let wasInitiator: Bool
    /// When I switched away, Unix seconds.
    public let switchedAt: UInt64
    /// When the peer was first seen under a later epoch, Unix seconds.
    public var peerSeenPast: UInt64?

    /// A past epoch, fresh or as it was stored.
    public init(epoch: Epoch<Scheme>, wasInitiator: Bool, switchedAt: UInt64, peerSeenPast: UInt64? = nil) {
        self.epoch = epoch
        self.wasInitiator = wasInitiator
        self.switchedAt = switchedAt
        self.peerSeenPast = peerSeenPast
    }

    /// The grace time is running and nothing but time keeps it (rule 6).
    public var mayEnd: Bool { !wasInitiator || peerSeenPast != nil }

    /// When it ends (rule 6): the responder's from its promotion; the initiator's from the first sign that
    /// the peer is past it, at the latest from its natural end.
    ///
    /// A plain timer would lose messages of a silent peer.
    public var graceEnd: UInt64 {
        guard wasInitiator else { return switchedAt + Moment.grace }
        return min(peerSeenPast ?? .max - Moment.grace, epoch.end) + Moment.grace
    }
}
