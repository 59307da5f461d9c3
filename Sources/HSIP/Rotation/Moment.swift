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

    /// A time; `effective` is never before `wallClock`, and without a jump `wiping` equals it.
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
