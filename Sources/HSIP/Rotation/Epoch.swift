/// One set of derived keys of a pairing, with its own counters.
public struct Epoch<Scheme: RotationScheme>: Sendable {
    /// 0 comes from the answer, each rotation makes the next.
    public let number: UInt32
    /// The public name (`ref`).
    public let name: Scheme.Name
    /// What is left of the keys.
    public var keys: Scheme.Keys
    /// After this moment (Unix seconds) nothing is sealed.
    public let end: UInt64
    /// Messages each direction may seal.
    public let limit: UInt16
    /// Messages I have sealed; reserved before use, so a crash wastes a number and never repeats one.
    public var sent: UInt16
    /// Distinct messages of the peer that I have read.
    public var received: UInt16
    /// A backup was restored over it: opens, never seals.
    public var isRestored: Bool

    /// An epoch, fresh or as it was stored.
    public init(
        number: UInt32, name: Scheme.Name, keys: Scheme.Keys, end: UInt64, limit: UInt16,
        sent: UInt16 = 0, received: UInt16 = 0, isRestored: Bool = false
    ) {
        self.number = number
        self.name = name
        self.keys = keys
        self.end = end
        self.limit = limit
        self.sent = sent
        self.received = received
        self.isRestored = isRestored
    }

    /// Every number of this key is used.
    public var isExhausted: Bool { sent >= limit }

    /// Its time is over.
    public func isExpired(at moment: Moment) -> Bool { moment.effective > end }

    /// Renewal is due soon: nine tenths of the numbers are used (900 of 1000), or a day is left.
    public func warnsSoon(at moment: Moment) -> Bool {
        UInt32(sent) * 10 >= UInt32(limit) * 9 || moment.effective + 86_400 >= end
    }

    /// It may seal one more message now.
    public func maySeal(at moment: Moment) -> Bool {
        !isExhausted && !isExpired(at: moment) && !isRestored
    }
}

/// Epoch n+1 as its responder holds it: ready to receive, not yet in use.
public struct PreparedEpoch<Scheme: RotationScheme>: Sendable {
    /// The new epoch.
    public var epoch: Epoch<Scheme>
    /// The ACCEPT, kept so that showing it again never makes another key.
    public let accept: Scheme.Accept
    /// The ROTATE it answers.
    public let rotateName: Scheme.RotateName
    /// The attempt of that ROTATE: its rank against others.
    public let attempt: UInt16

    /// A prepared epoch, fresh or as it was stored.
    public init(
        epoch: Epoch<Scheme>, accept: Scheme.Accept, rotateName: Scheme.RotateName, attempt: UInt16
    ) {
        self.epoch = epoch
        self.accept = accept
        self.rotateName = rotateName
        self.attempt = attempt
    }
}

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

    /// When it ends (rule 6): the responder's from its promotion; the initiator's from the first sign that the
    /// peer is past it, at the latest from its natural end. A plain timer would lose messages of a silent peer.
    public var graceEnd: UInt64 {
        guard wasInitiator else { return switchedAt + Moment.grace }
        return min(peerSeenPast ?? .max - Moment.grace, epoch.end) + Moment.grace
    }
}

/// My own ROTATE that waits for its ACCEPT.
public struct RotationAttempt<Scheme: RotationScheme>: Sendable {
    /// The code, shown again as it is.
    public let rotate: Scheme.Rotate
    /// The one-time secret behind it.
    public let ephemeral: Scheme.Ephemeral

    /// An attempt, fresh or as it was stored.
    public init(rotate: Scheme.Rotate, ephemeral: Scheme.Ephemeral) {
        self.rotate = rotate
        self.ephemeral = ephemeral
    }
}
