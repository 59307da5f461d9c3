/// The time of an act, as the protocol sees it (Schemas/hsip-xc1.md section 8, "Clock").
public struct Moment: Hashable, Sendable {
    /// The wall clock, Unix seconds: stamps codes and judges codes from the future.
    public let wallClock: UInt64
    /// The later of the wall clock and the stored mark: judges everything about too late.
    public let effective: UInt64
    /// The time that is certain: what was over by then may be wiped for its age.
    ///
    /// After a jump of the clock it is earlier than the others.
    public let wiping: UInt64

    /// Names a time; `effective` is never before `wallClock`, and `wiping` the same without a jump.
    public init(wallClock: UInt64, effective: UInt64? = nil, wiping: UInt64? = nil) {
        self.wallClock = wallClock
        self.effective = max(wallClock, effective ?? wallClock)
        self.wiping = wiping ?? self.effective
    }

    /// How long a replaced or ended epoch still opens messages: 72 hours, not a setting.
    public static let grace: UInt64 = 72 * 3600
    /// How far two clocks may differ when a code is judged: ten minutes.
    public static let tolerance: UInt64 = 600
    /// How long the chain of an expired epoch, and the record of an ended thing, are kept: 30 days.
    public static let retention: UInt64 = 30 * 86_400
}
