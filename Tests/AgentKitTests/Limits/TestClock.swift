import Synchronization

@testable import AgentKit

/// A clock that a test sets, and a limiter that reads it.
final class TestClock: Sendable {
    private let seconds = Atomic<UInt64>(0)

    func limiter(
        isOfSystem: @escaping @Sendable (String) -> Bool = RateLimiter.isOfSystem
    ) -> RateLimiter {
        RateLimiter(clock: { self.seconds.load(ordering: .relaxed) }, isOfSystem: isOfSystem)
    }

    func set(_ moment: UInt64) { seconds.store(moment, ordering: .relaxed) }
}
