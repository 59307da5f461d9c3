/// The highest wall clock seen, so that turning the clock back cannot revive a session.
public struct ClockMark: Sendable, Hashable {
    /// The highest wall clock seen, Unix seconds; 0 before the first.
    public var mark: UInt64
    /// When the clock was first seen more than a day past the mark; nil without a jump.
    public var jumpAt: UInt64?
    /// The mark before that jump, which is the certain time until the jump is confirmed.
    ///
    /// An event that wipes nothing, such as a refused one, moves the mark too; keys that ended before the jump are
    /// wiped with the next event.
    public var certain: UInt64?

    /// A mark, fresh or as it was stored.
    public init(mark: UInt64 = 0, jumpAt: UInt64? = nil, certain: UInt64? = nil) {
        self.mark = mark
        self.jumpAt = jumpAt
        self.certain = certain
    }

    /// The mark is written only when it moves at least this far: ten minutes.
    public static let step: UInt64 = 600
    /// A mark further ahead of the clock than this makes the clock suspect: one hour.
    public static let suspectAhead: UInt64 = 3_600
    /// A clock further past the mark than this has jumped: a day.
    ///
    /// Secrets that the mark protects are kept for at least 72 hours.
    public static let jump: UInt64 = 86_400
    /// How much later a second mark must be to confirm a jump: if a clock is corrected within a day, no key is lost.
    public static let jumpPause: UInt64 = 86_400

    /// The time of an event that begins at `wallClock`.
    public func moment(wallClock: UInt64) -> Moment {
        Moment(
            wallClock: wallClock,
            effective: max(wallClock, mark),
            wiping: wipingTime(wallClock: wallClock)
        )
    }

    /// The certain time: keys and records that ended by then may be wiped for their age.
    ///
    /// After a jump, this is the mark before it, until a second mark or a person confirms the jump. Before the first
    /// mark, no time is certain.
    public func wipingTime(wallClock: UInt64) -> UInt64 {
        if mark == 0 { return 0 }
        if isUnconfirmed(wallClock: wallClock) { return certain ?? 0 }
        return hasJumped(wallClock: wallClock) ? mark : max(wallClock, mark)
    }

    /// Whether wiping for age waits because the clock jumped.
    public func delaysWiping(wallClock: UInt64) -> Bool {
        isUnconfirmed(wallClock: wallClock) || hasJumped(wallClock: wallClock)
    }

    private func hasJumped(wallClock: UInt64) -> Bool { mark > 0 && wallClock > mark + Self.jump }

    private func isUnconfirmed(wallClock: UInt64) -> Bool {
        jumpAt.map { wallClock < $0 + Self.jumpPause } ?? false
    }

    /// The last second that codes and records can hold, in 2106.
    private static let end = UInt64(UInt32.max)

    /// True if stamping and sealing must be refused.
    ///
    /// The mark is more than an hour ahead of the clock then, or the clock is past the last second that a code can hold.
    public func isSuspect(wallClock: UInt64) -> Bool {
        mark > wallClock + Self.suspectAhead || wallClock > Self.end
    }

    /// The mark after an event at `wallClock`, or nil if nothing must be written.
    ///
    /// With `always`, the mark also moves by less than `step`: a refusal for lateness must still hold after the clock
    /// is turned back by a minute.
    public func advanced(to wallClock: UInt64, always: Bool = false) -> ClockMark? {
        guard wallClock > mark, always || wallClock - mark >= Self.step else { return nil }
        if hasJumped(wallClock: wallClock) {
            return ClockMark(mark: wallClock, jumpAt: wallClock, certain: mark)
        }
        guard isUnconfirmed(wallClock: wallClock) else { return ClockMark(mark: wallClock) }
        return ClockMark(mark: wallClock, jumpAt: jumpAt, certain: certain)
    }
}
