/// The time of an act, as the protocol sees it (Schemas/hsip-xc1.md section 8, "Clock").
public struct Moment: Hashable, Sendable {
    /// The wall clock, Unix seconds: stamps codes and judges codes from the future.
    public let wallClock: UInt64
    /// The later of the wall clock and the stored mark: judges everything about too late.
    public let effective: UInt64
    /// Keys may be wiped for age; false for a day after the clock jumped far ahead.
    public let mayWipe: Bool

    /// Names a time; `effective` is never before `wallClock`.
    public init(wallClock: UInt64, effective: UInt64? = nil, mayWipe: Bool = true) {
        self.wallClock = wallClock
        self.effective = max(wallClock, effective ?? wallClock)
        self.mayWipe = mayWipe
    }

    /// How long a replaced or ended epoch still opens messages: 72 hours, not a setting.
    public static let grace: UInt64 = 72 * 3600
    /// How far two clocks may differ when a code is judged: ten minutes.
    public static let tolerance: UInt64 = 600
    /// How long the chain of an expired epoch, and the record of an ended thing, are kept: 30 days.
    public static let keeping: UInt64 = 30 * 86_400
}
