import AgentProtocol
import Synchronization
import Testing

@testable import AgentKit

@Suite struct BusQuestionsTests {
    @Test func `of one program one question is asked at a time, and the next when it ends`() async throws {
        let questions = BusQuestions()
        let order = Mutex<[Int]>([])
        let release = try Cancellation()
        let isAsking = try Cancellation()
        async let first: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) {
                isAsking.cancel()
                _ = release.wait(for: -1)
                order.withLock { $0.append(1) }
            }
        }
        _ = try await apart { isAsking.wait(for: -1) }
        async let second: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) { order.withLock { $0.append(2) } }
        }
        // Another program does not wait for it.
        try await apart { try questions.inTurn(of: "/usr/bin/b", Cancellation()) {} }
        #expect(order.withLock { $0 } == [])
        release.cancel()
        try await first
        try await second
        #expect(order.withLock { $0 } == [1, 2])
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
