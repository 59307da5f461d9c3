internal import CLinux
internal import Glibc
internal import Synchronization

/// Wakes the agent when the vault has been open, or unused, for long enough.
///
/// On CLOCK_BOOTTIME: time asleep counts, and setting the wall clock changes nothing. A use costs no call
/// of the system: the timer notices when it fires that it fired too early, and sets itself again.
package final class LockTimer: LockObserver {
    private let schedule = Mutex<LockSchedule?>(nil)
    private let limits: LockSchedule.Limits
    private let alarm: Int32
    private let now: @Sendable () -> UInt64

    /// Poll it for reading, then ask `due`.
    package var descriptor: Int32 { alarm }

    /// A timer that rests until the vault opens.
    ///
    /// - Parameters:
    ///   - limits: how long the vault stays open, unused and in all.
    ///   - now: nanoseconds of CLOCK_BOOTTIME; another clock in tests.
    /// - Throws: `failed` when the system gives no timer.
    package init(
        limits: LockSchedule.Limits = .standard,
        now: @escaping @Sendable () -> UInt64 = { hsip_boot_clock() }
    ) throws(SystemError) {
        self.limits = limits
        self.now = now
        alarm = hsip_alarm_new()
        guard alarm >= 0 else { throw .failed(call: "timerfd_create", code: errno) }
    }

    /// The vault was opened.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) { opened(for: seconds) }

    /// The timer rests.
    package func vaultLocked(_ reason: LockReason) { locked() }

    /// The time without use begins again.
    package func vaultUsed() { schedule.withLock { $0?.use(at: now()) } }

    /// An open vault is to be locked in so many seconds at the latest.
    ///
    /// Any program may say that, so it never keeps the vault open for longer.
    package func vaultLimited(to seconds: Int) {
        schedule.withLock { schedule in
            guard var present = schedule else { return }
            present.shorten(to: Self.nanoseconds(seconds), from: now())
            schedule = present
            set(present)
        }
    }

    func opened(for seconds: Int? = nil) {
        schedule.withLock { schedule in
            let now = now()
            var fresh = LockSchedule(opened: now, limits: limits)
            if let seconds { fresh.last(Self.nanoseconds(seconds), from: now) }
            schedule = fresh
            set(fresh)
        }
    }

    func locked() {
        schedule.withLock { schedule in
            schedule = nil
            _ = hsip_alarm_set(alarm, 0)
        }
    }

    private func set(_ schedule: LockSchedule) { _ = hsip_alarm_set(alarm, max(1, schedule.due)) }

    private static func nanoseconds(_ seconds: Int) -> UInt64 {
        let (value, overflow) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: LockSchedule.second)
        return overflow ? .max : value
    }

    /// Whether the vault has to lock now; a timer that fired too early is set to the right moment.
    ///
    /// A moment in the past is never set: the thread that gets a reason locks, and the timer rests, whatever becomes
    /// of the locking.
    package func due() -> LockSchedule.Reason? {
        schedule.withLock { schedule in
            guard let present = schedule else {
                _ = hsip_alarm_set(alarm, 0)
                return nil
            }
            let reason = present.reason(at: now())
            if reason == nil {
                set(present)
            } else {
                schedule = nil
                _ = hsip_alarm_set(alarm, 0)
            }
            return reason
        }
    }

    /// Whole seconds until the vault locks by itself; nil while it is locked.
    package var remaining: (idle: UInt64, absolute: UInt64)? {
        schedule.withLock { $0?.remaining(at: now()) }
    }

    deinit { if alarm >= 0 { close(alarm) } }
}

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
