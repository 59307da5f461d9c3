/// When an open vault locks by itself.
///
/// Plain arithmetic; moments are nanoseconds of one steady clock.
package struct LockSchedule: Equatable, Sendable {
    /// How long a vault stays open.
    package struct Limits: Equatable, Sendable {
        /// Nanoseconds without use.
        package var idle: UInt64
        /// Nanoseconds in all.
        package var absolute: UInt64

        package static let standard = Limits(idle: 15 * 60 * second, absolute: 8 * 60 * 60 * second)

        package init(idle: UInt64, absolute: UInt64) {
            (self.idle, self.absolute) = (idle, absolute)
        }
    }

    /// Nanoseconds.
    package static let second: UInt64 = 1_000_000_000

    private var limits: Limits
    private let latest: UInt64
    private var end: UInt64
    private var lastUse: UInt64

    /// A vault that opens now.
    package init(opened now: UInt64, limits: Limits) {
        self.limits = limits
        latest = Self.sum(now, limits.absolute)
        end = latest
        lastUse = now
    }

    /// It was asked to stay open for a time, used or not; never beyond the absolute limit.
    package mutating func last(_ length: UInt64, from now: UInt64) {
        end = min(latest, Self.sum(now, length))
        limits.idle = .max
    }

    /// Brings the end closer, never further away; the time without use stays.
    package mutating func shorten(to length: UInt64, from now: UInt64) {
        end = min(end, Self.sum(now, length))
    }

    /// A secret was used.
    package mutating func use(at now: UInt64) { lastUse = max(lastUse, now) }

    /// The moment at which it locks if nothing is used until then.
    package var due: UInt64 { min(end, Self.sum(lastUse, limits.idle)) }

    /// Why it has to lock now, if it has to.
    package func reason(at now: UInt64) -> Reason? {
        if now >= end { return .absolute }
        return now >= Self.sum(lastUse, limits.idle) ? .idle : nil
    }

    /// Which limit was reached.
    package enum Reason: Sendable { case idle, absolute }

    /// Whole seconds until the vault locks for want of use, and at the latest.
    package func remaining(at now: UInt64) -> (idle: UInt64, absolute: UInt64) {
        let absolute = end > now ? end - now : 0
        let idle = Self.sum(lastUse, limits.idle)
        return (min(idle > now ? idle - now : 0, absolute) / Self.second, absolute / Self.second)
    }

    private static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}
