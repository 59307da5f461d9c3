/// One set of derived keys of a pairing, with its own counters.
public struct Epoch<Scheme: RotationScheme>: Sendable {
    /// 0 comes from the answer, each rotation makes the next.
    public let number: UInt32
    /// The public name (`ref`).
    public let name: Scheme.Name
    /// The exchanges that made its keys; no later epoch has a lower suite.
    public let suite: Suite
    /// The keys that are not wiped yet.
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
        number: UInt32,
        name: Scheme.Name,
        suite: Suite,
        keys: Scheme.Keys,
        end: UInt64,
        limit: UInt16,
        sent: UInt16 = 0,
        received: UInt16 = 0,
        isRestored: Bool = false
    ) {
        self.number = number
        self.name = name
        self.suite = suite
        self.keys = keys
        self.end = end
        self.limit = limit
        self.sent = sent
        self.received = received
        self.isRestored = isRestored
    }

    /// Every number of this key is used.
    public var isExhausted: Bool { sent >= limit }

    /// Whether the epoch has ended.
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
