import CLoginFake
import Glibc
import Support
import Synchronization
import Testing

@testable import AgentKit

@Suite(.timeLimit(.minutes(5))) struct SleepHooksTests {
    /// What the agent was told, and whether sleep still waited at that moment.
    final class Heard: Sendable {
        private let all = Mutex<[LockReason]>([])
        var reasons: [LockReason] { all.withLock { $0 } }
        func add(_ reason: LockReason) { all.withLock { $0.append(reason) } }
    }

    /// A private bus with a stand-in for logind and hooks that listen to it; for one thread that may wait.
    @safe final class Scene {
        let heard = Heard()
        let hooks: SleepHooks
        private(set) var login: OpaquePointer
        let bus: PrivateBus
        private let stop: Cancellation

        init() throws {
            bus = try PrivateBus()
            guard let login = unsafe login_fake_start(bus.address) else { throw Problem.noStandIn }
            unsafe self.login = login
            hooks = SleepHooks(address: bus.address) { [heard] reason in heard.add(reason) }
            stop = try Cancellation()
            let (hooks, stop) = (hooks, stop)
            try OwnThread.start("hooks") { hooks.run(until: stop, pause: 5) }
        }

        /// Serves until something is so; false when it does not come to that.
        func serve(until isSo: () -> Bool) -> Bool {
            for _ in 0..<100_000 {
                if isSo() { return true }
                guard unsafe login_fake_step(login, 5) >= 0 else { return false }
            }
            return false
        }

        /// Everything that was said before has been heard: the bus keeps the order.
        func settle() -> Bool {
            let count = heard.reasons.count
            unsafe login_fake_sleep(login, 1)
            return serve { heard.reasons.count > count && heard.reasons.last == .sleep }
        }

        func restart() throws {
            unsafe login_fake_stop(login)
            while !hooks.active.isEmpty { sched_yield() }
            guard let fresh = unsafe login_fake_start(bus.address) else { throw Problem.noStandIn }
            unsafe login = fresh
        }

        deinit {
            stop.cancel()
            unsafe login_fake_stop(login)
        }
    }

    enum Problem: Error { case noStandIn }

    private func play(_ body: @escaping @Sendable (Scene) throws -> [Bool]) async -> [Bool] {
        await onOwnThread {
            do { return try body(try Scene()) } catch { return [false] }
        } while: {
        }
    }

    @Test func `sleep waits until the vault is locked, and waits again after waking`() async {
        let facts = await play { scene in
            let begins = scene.serve { scene.hooks.active == SleepHooks.Hook.allCases }
            let held = unsafe login_fake_is_held(scene.login) == 1
            unsafe login_fake_sleep(scene.login, 1)
            let released = scene.serve { unsafe login_fake_is_held(scene.login) == 0 }
            let locked = scene.heard.reasons == [.sleep]
            unsafe login_fake_sleep(scene.login, 0)
            let again = scene.serve { unsafe login_fake_inhibitors(scene.login) == 2 }
            return [begins, held, released, locked, again, unsafe login_fake_is_held(scene.login) == 1]
        }
        #expect(facts == Array(repeating: true, count: 6))
    }

    @Test func `a locked screen locks the vault, that of another user does not`() async {
        let facts = await play { scene in
            let begins = scene.serve { !scene.hooks.active.isEmpty }
            unsafe login_fake_lock(scene.login, "9")
            unsafe login_fake_hint(scene.login, "9", 1)
            unsafe login_fake_hint(scene.login, "1", 0)
            let others = scene.settle() && scene.heard.reasons == [.sleep]
            unsafe login_fake_lock(scene.login, "1")
            unsafe login_fake_hint(scene.login, "1", 1)
            let own = scene.settle() && scene.heard.reasons == [.sleep, .screen, .screen, .sleep]
            return [begins, others, own]
        }
        #expect(facts == [true, true, true])
    }

    @Test func `the end of the last session locks, that of one among several does not`() async {
        let facts = await play { scene in
            let begins = scene.serve { !scene.hooks.active.isEmpty }
            unsafe login_fake_session(scene.login, "2", 1)
            unsafe login_fake_session(scene.login, "92", 1)
            unsafe login_fake_session(scene.login, "2", 0)
            unsafe login_fake_session(scene.login, "92", 0)
            let one = scene.settle() && scene.heard.reasons == [.sleep]
            unsafe login_fake_session(scene.login, "1", 0)
            let last = scene.settle() && scene.heard.reasons == [.sleep, .session, .sleep]
            return [begins, one, last]
        }
        #expect(facts == [true, true, true])
    }

    @Test func `what another program says in logind's words counts for nothing`() async {
        let facts = await play { scene in
            let begins = scene.serve { !scene.hooks.active.isEmpty }
            let isSent = unsafe login_fake_forge(scene.login, scene.bus.address) >= 0
            // The session is still known, or its lock would count for nothing.
            unsafe login_fake_lock(scene.login, "1")
            let own = scene.settle() && scene.heard.reasons == [.screen, .sleep]
            return [begins, isSent, own]
        }
        #expect(facts == [true, true, true])
    }

    @Test func `a logind that goes away is said to be gone, and found again`() async {
        let facts = await play { scene in
            let begins = scene.serve { !scene.hooks.active.isEmpty }
            try scene.restart()
            let again = scene.serve { !scene.hooks.active.isEmpty }
            let works = scene.settle()
            return [begins, again, works]
        }
        #expect(facts == [true, true, true])
    }
}
