internal import RecordStore
internal import Synchronization

/// Where a call leaves its result.
///
/// When no caller waits for it any more it goes with the call itself, on the thread that made it.
final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, StoreError>?>(nil)

    func set(_ value: Result<Value, StoreError>) { result.withLock { $0 = value } }

    func take() -> Result<Value, StoreError>? { result.withLock { $0.take() } }
}
