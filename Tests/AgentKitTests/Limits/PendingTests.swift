import AgentProtocol
import Synchronization
import Testing

@testable import AgentKit

@Suite struct PendingTests {
    private typealias Limits = RateLimiter.Limits

    private let limiter = RateLimiter()

    /// The numbers of questions by the order in which they were asked.
    final class Order: Sendable {
        private let asked = Mutex<[Int]>([])
        var all: [Int] { asked.withLock { $0 } }
        func add(_ number: Int) { asked.withLock { $0.append(number) } }
    }

    private func begin(_ program: String, _ pid: Int32 = 7, start: UInt64 = 1) throws -> UInt64 {
        try limiter.begin(ProcessID(pid: pid, start: start), of: program)
    }

    @Test func `one question of a program is asked at a time, and the next when it ends`() async throws {
        let limiter = limiter
        let order = Order()
        let (release, isAsking) = (try Cancellation(), try Cancellation())
        let calls = try ["/usr/bin/a", "/usr/bin/a", "/usr/bin/b"].map { try begin($0) }
        async let first: Void = apart {
            try limiter.whenNext(calls[0], Cancellation()) {
                isAsking.cancel()
                _ = release.wait(for: -1)
                order.add(1)
            }
        }
        _ = try await apart { isAsking.wait(for: -1) }
        async let second: Void = apart {
            try limiter.whenNext(calls[1], Cancellation()) { order.add(2) }
        }
        // Another program does not wait for it.
        try await apart { try limiter.whenNext(calls[2], Cancellation()) {} }
        #expect(order.all.isEmpty)
        release.cancel()
        try await first
        try await second
        #expect(order.all == [1, 2])
    }

    @Test func `a call whose caller went leaves the queue`() async throws {
        let limiter = limiter
        let (release, isAsking, gone) = (try Cancellation(), try Cancellation(), try Cancellation())
        let calls = try (0..<3).map { _ in try begin("/usr/bin/a") }
        async let first: Void = apart {
            try limiter.whenNext(calls[0], Cancellation()) {
                isAsking.cancel()
                _ = release.wait(for: -1)
            }
        }
        _ = try await apart { isAsking.wait(for: -1) }
        gone.cancel()
        await #expect(throws: Refusal.cancelled) {
            try await apart { try limiter.whenNext(calls[1], gone) {} }
        }
        release.cancel()
        try await first
        try await apart { try limiter.whenNext(calls[2], Cancellation()) {} }
    }

    @Test func `three programs have a question asked at a time, a fourth one waits`() throws {
        let (interest, gone) = (try Cancellation(), try Cancellation())
        gone.cancel()
        let calls = try ["a", "b", "c", "d", "d"].map { try begin($0) }
        try limiter.whenNext(calls[0], interest) { () throws(Refusal) in
            try limiter.whenNext(calls[1], interest) { () throws(Refusal) in
                try limiter.whenNext(calls[2], interest) { () -> Void in
                    // It had to wait, and its caller does not.
                    #expect(throws: Refusal.cancelled) { try limiter.whenNext(calls[3], gone) {} }
                }
                try limiter.whenNext(calls[4], gone) {}
            }
        }
    }

    @Test func `another program that waits comes before the one whose question ended`() throws {
        let asking = try ["a", "b", "c"].map { try begin($0) }
        let waiting = try ["a", "d", "b", "e"].map { try begin($0) }
        let signals = try (0..<4).map { _ in try Cancellation() }
        var state = limiter.state.withLock { $0 }
        let atOnce = try asking.map { try state.queue($0, Cancellation()) }
        #expect(atOnce == [true, true, true])
        let later = try zip(waiting, signals).map { try state.queue($0, $1) }
        #expect(later == [false, false, false, false])
        let next = [asking[0], waiting[1], asking[1], waiting[3]].map { state.leave($0) }
        #expect(next.map { signal in signals.firstIndex { $0 === signal } } == [1, 0, 3, 2])
        // None waits any longer: the next call may ask at once.
        let nobody = state.leave(waiting[2])
        #expect(nobody === nil)
        let isNext = try state.queue(waiting[1], Cancellation())
        #expect(isNext)
    }

    @Test func `four calls of a program are in the queue, and sixteen in all`() throws {
        let asking = try ["a", "b", "c"].map { try begin($0, 1) }
        let queued = try ["a", "d", "e", "f"].flatMap { program in
            try (0..<Limits.queuedOfProgram).map { _ in try begin(program, 2) }
        }
        let more = try ["a", "g"].map { try begin($0, 3) }
        var state = limiter.state.withLock { $0 }
        for call in asking { _ = try state.queue(call, Cancellation()) }
        for (number, call) in queued.enumerated() {
            let isNext = try state.queue(call, Cancellation())
            #expect(!isNext)
            guard number == Limits.queuedOfProgram - 1 else { continue }
            #expect(throws: Refusal.tooManyQuestions) { try state.queue(more[0], Cancellation()) }
        }
        #expect(queued.count == Limits.queuedInAll)
        #expect(throws: Refusal.tooManyQuestions) { try state.queue(more[1], Cancellation()) }
        #expect(state.refused.tooMany == 2)
    }

    @Test func `a process has one share of pending calls, however many connections it has`() throws {
        let calls = try (0..<Limits.pendingOfProcess).map { _ in try begin("a") }
        #expect(throws: Refusal.tooManyQuestions) { try begin("a") }
        // Another process of the same number is another one.
        _ = try begin("a", start: 2)
        #expect(limiter.refused.tooMany == 1)
        limiter.end(calls[3])
        _ = try begin("a")
        #expect(throws: Refusal.tooManyQuestions) { try begin("a") }
    }

    @Test func `a program that forks has one share of pending calls, and all programs have one`() throws {
        let calls = try (0..<Limits.pendingOfProgram).map { try begin("forks", Int32($0)) }
        #expect(throws: Refusal.tooManyQuestions) { try begin("forks", 1_000) }
        for number in Limits.pendingOfProgram..<Limits.pendingInAll {
            _ = try begin("\(number)", Int32(number))
        }
        #expect(throws: Refusal.tooManyQuestions) { try begin("new", 2_000) }
        #expect(limiter.refused.tooMany == 2)
        limiter.end(calls[0])
        _ = try begin("new", 2_000)
        #expect(throws: Refusal.tooManyQuestions) { try begin("new", 2_001) }
    }

    @Test func `a call that left the queue is passed over`() throws {
        let calls = try (0..<3).map { _ in try begin("a") }
        let signals = try calls.map { _ in try Cancellation() }
        var state = limiter.state.withLock { $0 }
        let isNext = try zip(calls, signals).map { try state.queue($0, $1) }
        #expect(isNext == [true, false, false])
        let left = state.leave(calls[1])
        #expect(left === nil)
        let next = state.leave(calls[0])
        #expect(next === signals[2])
    }
}
