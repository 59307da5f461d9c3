import Dispatch
import RecordStore
import Synchronization

/// A call that waits, begun on a thread of its own so that the test can go on.
final class Outcome: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let result = Mutex<StoreError?>(nil)

    init(_ call: @escaping @Sendable () throws -> Void) {
        DispatchQueue(label: "call").async { [self] in
            do { try call() } catch { result.withLock { $0 = error as? StoreError } }
            ended.signal()
        }
    }

    /// How it ended, waited for: its error, nil when it did well.
    func error() -> StoreError? {
        ended.wait()
        return result.withLock { $0 }
    }
}
