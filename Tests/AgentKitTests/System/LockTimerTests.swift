import Glibc
import Synchronization
import Testing

@testable import AgentKit

@Suite struct LockTimerTests {
    private static let second = LockSchedule.second
    private static let limits = LockSchedule.Limits(idle: 10 * second, absolute: 100 * second)

    @Test(arguments: [
        (uses: [UInt64](), lasting: UInt64?.none, due: UInt64(10), reason: LockSchedule.Reason.idle),
        (uses: [5], lasting: nil, due: 15, reason: .idle),
        (uses: [5, 3], lasting: nil, due: 15, reason: .idle),
        (uses: [95], lasting: nil, due: 100, reason: .absolute),
        (uses: [], lasting: 3, due: 3, reason: .absolute),
        (uses: [2], lasting: 50, due: 50, reason: .absolute),
        (uses: [], lasting: 1_000, due: 100, reason: .absolute),
        (uses: [], lasting: .max, due: 100, reason: .absolute),
    ])
    func `a vault locks when it was unused or open for long enough`(
        uses: [UInt64],
        lasting: UInt64?,
        due: UInt64,
        reason: LockSchedule.Reason
    ) {
        let start = 1_000 * Self.second
        var schedule = LockSchedule(opened: start, limits: Self.limits)
        if let lasting { schedule.last(lasting == .max ? lasting : lasting * Self.second, from: start) }
        for use in uses { schedule.use(at: start + use * Self.second) }
        #expect(schedule.due == start + due * Self.second)
        #expect(schedule.reason(at: schedule.due - 1) == nil)
        #expect(schedule.reason(at: schedule.due) == reason)
        #expect(schedule.remaining(at: schedule.due + 5).idle == 0)
    }

    @Test func `limits beyond what can be counted do not overflow`() {
        let schedule = LockSchedule(opened: .max - 5, limits: .init(idle: .max, absolute: .max))
        #expect(schedule.due == .max)
        #expect(schedule.reason(at: .max - 1) == nil)
    }

    /// A clock that a test sets.
    private final class Clock: Sendable {
        let value = Atomic<UInt64>(LockSchedule.second)
        func now() -> UInt64 { value.load(ordering: .relaxed) }
    }

    @Test func `a timer that fires too early sets itself again, one that is due rests`() throws {
        let clock = Clock()
        let timer = try LockTimer(limits: Self.limits, now: clock.now)
        #expect(timer.due() == nil)
        timer.opened()
        clock.value.store(9 * Self.second, ordering: .relaxed)
        timer.vaultUsed()
        clock.value.store(12 * Self.second, ordering: .relaxed)
        #expect(timer.due() == nil)
        #expect(timer.remaining?.idle == 7)
        clock.value.store(19 * Self.second, ordering: .relaxed)
        #expect(timer.due() == .idle)
        // Told once, whatever becomes of it: nothing fires again and again.
        #expect(timer.due() == nil)
        #expect(timer.remaining == nil)
        #expect(!Self.isReadable(timer))
    }

    @Test func `a time that the opener asks for holds without use, and never beyond the longest`() throws {
        let clock = Clock()
        let timer = try LockTimer(limits: Self.limits, now: clock.now)
        let before = clock.now()
        timer.opened(for: 50)
        #expect(timer.remaining?.idle == 50)
        clock.value.store(before + 49 * Self.second, ordering: .relaxed)
        #expect(timer.due() == nil)
        timer.opened(for: .max)
        #expect(timer.remaining?.absolute == Self.limits.absolute / Self.second)
    }

    @Test func `a time that is asked for an open vault only brings its lock closer`() throws {
        let clock = Clock()
        let timer = try LockTimer(limits: Self.limits, now: clock.now)
        timer.vaultLimited(to: 5)
        #expect(timer.remaining == nil)
        timer.opened()
        let idle = timer.remaining?.idle
        let absolute = timer.remaining?.absolute
        timer.vaultLimited(to: .max)
        #expect(timer.remaining?.idle == idle)
        #expect(timer.remaining?.absolute == absolute)
        timer.vaultLimited(to: 5)
        #expect(timer.remaining?.absolute == 5)
        timer.vaultLimited(to: 50)
        #expect(timer.remaining?.absolute == 5)
        timer.vaultLimited(to: 0)
        #expect(timer.due() == .absolute)
    }

    @Test func `the timer of the system fires at a moment of the boot clock`() async throws {
        let timer = try LockTimer(limits: .init(idle: 1, absolute: 3_600 * Self.second))
        let quiet = try Cancellation()
        timer.opened()
        let waited = await onOwnThread {
            quiet.wait(for: timer.descriptor, milliseconds: 600_000)
        } while: {
        }
        #expect(waited == .ready)
        #expect(timer.due() == .idle)
    }

    @Test func `locking stops the timer`() throws {
        let timer = try LockTimer(limits: .init(idle: 1, absolute: 1))
        timer.opened()
        timer.locked()
        #expect(timer.due() == nil)
        #expect(!Self.isReadable(timer))
    }

    private static func isReadable(_ timer: LockTimer) -> Bool {
        var request = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) > 0
    }
}
