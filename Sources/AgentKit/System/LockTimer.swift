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
