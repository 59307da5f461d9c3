internal import Dispatch

/// A lock with a time limit for waiting.
final class TimedLock: Sendable {
    private let place = DispatchSemaphore(value: 1)

    /// Runs `body` while no other thread does.
    ///
    /// - Parameters:
    /// - milliseconds: the longest wait for other threads; nil for no limit.
    /// - body: runs on this thread.
    /// - Returns: the result of `body`; nil if the wait was too long, and `body` did not run.
    /// - Throws: the errors of `body`.
    func pass<R, E: Error>(within milliseconds: Int? = nil, _ body: () throws(E) -> R) throws(E) -> R? {
        let end = milliseconds.map { DispatchTime.now() + .milliseconds($0) } ?? .distantFuture
        guard place.wait(timeout: end) == .success else { return nil }
        defer { place.signal() }
        return try body()
    }
}
