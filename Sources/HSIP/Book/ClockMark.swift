/// The highest wall clock seen, so that turning the clock back cannot revive a session.
public struct ClockMark: Sendable, Hashable {
    /// The highest wall clock seen, Unix seconds; 0 before the first.
    public var mark: UInt64
    /// When the clock was first seen more than 30 days past the mark; nil without a jump.
    public var jumpAt: UInt64?

    /// A mark, fresh or as it was stored.
    public init(mark: UInt64 = 0, jumpAt: UInt64? = nil) {
        self.mark = mark
        self.jumpAt = jumpAt
    }

    /// The mark is written only when it moves at least this far: ten minutes.
    public static let step: UInt64 = 600
    /// A mark further ahead of the clock than this makes the clock suspect: one hour.
    public static let suspectAhead: UInt64 = 3_600
    /// A clock further past the mark than this has jumped: 30 days.
    public static let jump: UInt64 = 30 * 86_400
    /// How long after a jump nothing is wiped for age: a clock set right within a day has cost no key.
    public static let jumpPause: UInt64 = 86_400

    /// The time of an act that begins at `wallClock`.
    public func moment(wallClock: UInt64) -> Moment {
        let jumped = mark > 0 && wallClock > mark + Self.jump
        let pausing = jumpAt.map { wallClock < $0 + Self.jumpPause } ?? false
        return Moment(
            wallClock: wallClock,
            effective: max(wallClock, mark),
            mayWipe: !jumped && !pausing
        )
    }

    /// Nothing may be stamped or sealed: the mark is more than an hour ahead of the clock.
    public func isSuspect(wallClock: UInt64) -> Bool { mark > wallClock + Self.suspectAhead }

    /// The mark after an act at `wallClock`, or nil if there is nothing to write.
    ///
    /// - Parameter always: also for less than `step`. A refusal as expired must stay one when the clock is
    ///   turned back by a minute.
    public func advanced(to wallClock: UInt64, always: Bool = false) -> ClockMark? {
        guard wallClock > mark, always || wallClock - mark >= Self.step else { return nil }
        let jumped = mark > 0 && wallClock > mark + Self.jump
        let pausing = jumpAt.map { wallClock < $0 + Self.jumpPause } ?? false
        return ClockMark(mark: wallClock, jumpAt: jumped ? wallClock : (pausing ? jumpAt : nil))
    }
}
