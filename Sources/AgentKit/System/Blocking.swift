internal import Dispatch
internal import Synchronization

/// Waits on a thread of our own for what only a task can do: a call of the vault's actor.
///
/// Never from a task: that would block one of Swift's few threads, and with all of them blocked nothing moves.
package enum Blocking {
    private final class Place<R: Sendable>: Sendable {
        let result = Mutex<R?>(nil)
        let done = DispatchSemaphore(value: 0)
    }

    /// Runs `body` as a task and waits for its result.
    package static func wait<R: Sendable, E: Error>(
        _ body: @escaping @Sendable () async throws(E) -> R
    ) throws(E) -> R {
        let place = Place<Result<R, E>>()
        Task.detached(priority: .medium) {
            let result: Result<R, E>
            do throws(E) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            place.result.withLock { $0 = result }
            place.done.signal()
        }
        while true {
            place.done.wait()
            if let result = place.result.withLock({ $0 }) { return try result.get() }
        }
    }
}
