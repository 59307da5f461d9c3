import AgentProtocol
import Synchronization
import Testing

@testable import AgentKit

@Suite struct BusQuestionsTests {
    /// What was asked so far.
    final class Order: Sendable {
        private let asked = Mutex<[Int]>([])
        var all: [Int] { asked.withLock { $0 } }
        func add(_ number: Int) { asked.withLock { $0.append(number) } }
    }

    @Test func `of one program one question is asked at a time, and the next when it ends`() async throws {
        let questions = BusQuestions()
        let order = Order()
        let release = try Cancellation()
        let isAsking = try Cancellation()
        async let first: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) {
                isAsking.cancel()
                _ = release.wait(for: -1)
                order.add(1)
            }
        }
        _ = try await apart { isAsking.wait(for: -1) }
        async let second: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) { order.add(2) }
        }
        // Another program does not wait for it.
        try await apart { try questions.inTurn(of: "/usr/bin/b", Cancellation()) {} }
        #expect(order.all.isEmpty)
        release.cancel()
        try await first
        try await second
        #expect(order.all == [1, 2])
    }

    @Test func `a call that is not waited for any longer gives its place up`() async throws {
        let questions = BusQuestions()
        let release = try Cancellation()
        let isAsking = try Cancellation()
        async let first: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) {
                isAsking.cancel()
                _ = release.wait(for: -1)
            }
        }
        _ = try await apart { isAsking.wait(for: -1) }
        let gone = try Cancellation()
        gone.cancel()
        await #expect(throws: Refusal.cancelled) {
            try await apart { try questions.inTurn(of: "/usr/bin/a", gone) {} }
        }
        release.cancel()
        try await first
        try await apart { try questions.inTurn(of: "/usr/bin/a", Cancellation()) {} }
    }
}
