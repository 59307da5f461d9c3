import FileStore
import RecordStore
import Testing

/// What a call came to: an answer or a typed refusal.
func outcome<R>(_ body: () throws -> R) -> Result<R, StoreError> {
    do {
        return .success(try body())
    } catch let error as StoreError {
        return .failure(error)
    } catch {
        Issue.record(error, "an error that is not of the store")
        return .failure(.io(code: -1))
    }
}

/// The refusal of a call; nil when it gave an answer.
func refusal(_ body: () throws -> Void) -> StoreError? {
    if case .failure(let error) = outcome(body) { error } else { nil }
}
