import Dispatch
import Synchronization
import Testing
import VaultCrypto

@testable import AgentKit

struct PromptQueueTests {
    /// Answers once it is let go, and counts how many questions are open at once.
    private final class Slow: Prompter {
        let opened = DispatchSemaphore(value: 0)
        let letGo = DispatchSemaphore(value: 0)
        let counts = Mutex((open: 0, most: 0))

        func passphrase(_: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret {
            throw .nobody
        }

        func confirm(_: ConfirmQuestion, _: Cancellation) throws(PromptError) -> Said {
            counts.withLock { $0 = ($0.open + 1, max($0.most, $0.open + 1)) }
            opened.signal()
            letGo.wait()
            counts.withLock { $0.open -= 1 }
            return .once
        }
    }

    private static let question = ConfirmQuestion(title: "Allow it?")

    @Test func `one question is open at a time`() async throws {
        let slow = Slow()
        let queue = try PromptQueue(slow)
        for _ in 0..<8 { slow.letGo.signal() }
        let answers = try await withThrowingTaskGroup(of: Said.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let cancellation = try Cancellation()
                    return try await onThread { try queue.confirm(Self.question, cancellation) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .once, count: 8))
        #expect(slow.counts.withLock { $0.most } == 1)
    }

    @Test func `who waits stops waiting when its client is gone`() async throws {
        let slow = Slow()
        let queue = try PromptQueue(slow)
        let (first, second) = (try Cancellation(), try Cancellation())
        async let one = onThread { try queue.confirm(Self.question, first) }
        try await onThread { slow.opened.wait() }
        second.cancel()
        await #expect(throws: PromptError.unseen(seconds: nil)) {
            try await onThread { try queue.confirm(Self.question, second) }
        }
        slow.letGo.signal()
        #expect(try await one == .once)
        slow.letGo.signal()
        #expect(try await onThread { try queue.confirm(Self.question, first) } == .once)
    }

    @Test func `more than a few waiting questions are refused`() async throws {
        let slow = Slow()
        let queue = try PromptQueue(slow)
        let cancellation = try Cancellation()
        async let one = onThread { try queue.confirm(Self.question, cancellation) }
        try await onThread { slow.opened.wait() }
        let failures = await withTaskGroup(of: PromptError?.self) { group in
            for _ in 0..<(PromptQueue.maximumWaiting + 4) {
                group.addTask {
                    do {
                        _ = try await onThread { try queue.confirm(Self.question, cancellation) }
                        return nil
                    } catch {
                        return error as? PromptError
                    }
                }
            }
            // Those that do not fit fail at once; the others wait until their interest ends.
            var failures: [PromptError?] = []
            for await failure in group {
                failures.append(failure)
                if failures.count == 4 { cancellation.cancel() }
            }
            return failures
        }
        #expect(failures.prefix(4).allSatisfy { $0 == .noResources })
        #expect(failures.dropFirst(4).allSatisfy { $0 == .unseen(seconds: nil) })
        slow.letGo.signal()
        #expect(try await one == .once)
    }
}
