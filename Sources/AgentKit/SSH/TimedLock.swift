internal import Dispatch

/// Lets one thread in at a time; who stands before it for too long is turned away.
final class TimedLock: Sendable {
    private let place = DispatchSemaphore(value: 1)

    /// Runs `body` alone.
    ///
    /// - Parameters:
    ///   - milliseconds: the longest wait for those who came before; nil for as long as it takes.
    ///   - body: runs on this thread, while all others wait.
    /// - Returns: what `body` returns; nil when the wait took too long, and `body` did not run.
    /// - Throws: what `body` throws.
    func pass<R, E: Error>(within milliseconds: Int? = nil, _ body: () throws(E) -> R) throws(E) -> R? {
        let end = milliseconds.map { DispatchTime.now() + .milliseconds($0) } ?? .distantFuture
        guard place.wait(timeout: end) == .success else { return nil }
        defer { place.signal() }
        return try body()
    }
}
