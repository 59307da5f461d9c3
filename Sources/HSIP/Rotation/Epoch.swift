/// One set of derived keys of a pairing, with its own counters.
public struct Epoch<Scheme: RotationScheme>: Sendable {
    /// The epoch's number: 0 comes from the answer, and each rotation makes the next.
    public let number: UInt32
    /// The public name (`ref`).
    public let name: Scheme.Name
    /// The suite of the exchanges that made the keys; no later epoch has a lower suite.
    public let suite: Suite
    /// The keys that are not wiped yet.
    public var keys: Scheme.Keys
    /// The moment (Unix seconds) after which nothing is sealed.
    public let end: UInt64
    /// The messages that each direction may seal.
    public let limit: UInt16
    /// Messages I have sealed; reserved before use, so a crash wastes a number and never repeats one.
    public var sent: UInt16
    /// The number of distinct messages of the peer that I have read.
    public var received: UInt16
    /// Whether a backup was restored over the epoch: it opens messages, but never seals.
    public var isRestored: Bool

    /// An epoch, new or stored.
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

    /// Whether every number of this key is used.
    public var isExhausted: Bool { sent >= limit }

    /// Whether the epoch has ended.
    public func isExpired(at moment: Moment) -> Bool { moment.effective > end }

    /// Whether renewal is due soon: nine tenths of the numbers are used (900 of 1000), or a day is left.
    public func warnsSoon(at moment: Moment) -> Bool {
        UInt32(sent) * 10 >= UInt32(limit) * 9 || moment.effective + 86_400 >= end
    }

    /// Whether the epoch may seal one more message now.
    public func maySeal(at moment: Moment) -> Bool {
        !isExhausted && !isExpired(at: moment) && !isRestored
    }
}

/// The time of an event (Schemas/hsip-xc1.md section 8, "Clock").
public struct Moment: Hashable, Sendable {
    /// The wall clock, Unix seconds: stamps codes, and decides whether a code is from the future.
    public let wallClock: UInt64
    /// The later of the wall clock and the stored mark: decides whether something is too late.
    public let effective: UInt64
    /// The certain time: keys and records that ended by then may be wiped for their age.
    ///
    /// After a jump of the clock it is earlier than the other times.
    public let wiping: UInt64

    /// Makes a time; `effective` is at least `wallClock`, and `wiping` is `effective` unless it is given.
    public init(wallClock: UInt64, effective: UInt64? = nil, wiping: UInt64? = nil) {
        self.wallClock = wallClock
        self.effective = max(wallClock, effective ?? wallClock)
        self.wiping = wiping ?? self.effective
    }

    /// How long a replaced or ended epoch still opens messages: 72 hours, not a setting.
    public static let grace: UInt64 = 72 * 3600
    /// How far two clocks may differ when a code is judged: ten minutes.
    public static let tolerance: UInt64 = 600
    /// How long the chain of an expired epoch, and the record of anything that ended, are kept: 30 days.
    public static let retention: UInt64 = 30 * 86_400
}
