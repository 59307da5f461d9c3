internal import Dispatch

/// Lets one thread in at a time; who stands before it for too long is turned away.
final class TimedLock: Sendable {
    private let place = DispatchSemaphore(value: 1)

    /// Runs `body` alone.
    ///
    /// - Parameter milliseconds: the longest wait for those who came before; nil for as long as it takes.
    /// - Returns: nil for who was turned away.
    func pass<R, E: Error>(within milliseconds: Int? = nil, _ body: () throws(E) -> R) throws(E) -> R? {
        let end = milliseconds.map { DispatchTime.now() + .milliseconds($0) } ?? .distantFuture
        guard place.wait(timeout: end) == .success else { return nil }
        defer { place.signal() }
        return try body()
    }
}
