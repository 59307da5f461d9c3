/// The highest wall clock seen, so that turning the clock back cannot revive a session.
public struct ClockMark: Sendable, Hashable {
    /// The highest wall clock seen, Unix seconds; 0 before the first.
    public var mark: UInt64
    /// When the clock was first seen more than a day past the mark; nil without a jump.
    public var jumpAt: UInt64?
    /// The mark before that jump: the time that is certain as long as the jump is not confirmed.
    ///
    /// An act that wipes nothing, as a refused one, moves the mark too; what was over before the jump goes with the next.
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
    /// Secrets that the mark protects are kept for 72 hours at least.
    public static let jump: UInt64 = 86_400
    /// How much later a second mark has to be that confirms a jump: a clock set right within a day has cost no key.
    public static let jumpPause: UInt64 = 86_400

    /// The time of an act that begins at `wallClock`.
    public func moment(wallClock: UInt64) -> Moment {
        Moment(
            wallClock: wallClock,
            effective: max(wallClock, mark),
            wiping: wipingTime(wallClock: wallClock)
        )
    }

    /// The time that is certain: what was over by then may be wiped for its age.
    ///
    /// After a jump that is the mark before it, until a second mark confirms the jump or a person does. Before the first
    /// mark no time is certain.
    public func wipingTime(wallClock: UInt64) -> UInt64 {
        if mark == 0 { return 0 }
        if isUnconfirmed(wallClock: wallClock) { return certain ?? 0 }
        return hasJumped(wallClock: wallClock) ? mark : max(wallClock, mark)
    }

    /// Wiping for age waits, because the clock jumped.
    public func delaysWiping(wallClock: UInt64) -> Bool {
        isUnconfirmed(wallClock: wallClock) || hasJumped(wallClock: wallClock)
    }

    private func hasJumped(wallClock: UInt64) -> Bool { mark > 0 && wallClock > mark + Self.jump }

    private func isUnconfirmed(wallClock: UInt64) -> Bool {
        jumpAt.map { wallClock < $0 + Self.jumpPause } ?? false
    }

    /// The last second that codes and records can hold, in 2106.
    private static let end = UInt64(UInt32.max)

    /// Nothing may be stamped or sealed: the mark is more than an hour ahead of the clock, or the clock is past the last
    /// second that a code can hold.
    public func isSuspect(wallClock: UInt64) -> Bool {
        mark > wallClock + Self.suspectAhead || wallClock > Self.end
    }

    /// The mark after an act at `wallClock`, or nil if there is nothing to write.
    ///
    /// With `always` it moves by less than `step`, too: a refusal as expired must stay one when the clock is
    /// turned back by a minute.
    public func advanced(to wallClock: UInt64, always: Bool = false) -> ClockMark? {
        guard wallClock > mark, always || wallClock - mark >= Self.step else { return nil }
        if hasJumped(wallClock: wallClock) {
            return ClockMark(mark: wallClock, jumpAt: wallClock, certain: mark)
        }
        guard isUnconfirmed(wallClock: wallClock) else { return ClockMark(mark: wallClock) }
        return ClockMark(mark: wallClock, jumpAt: jumpAt, certain: certain)
    }
}
