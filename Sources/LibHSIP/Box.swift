internal import Synchronization

/// A place that two threads share: one puts something in, the other takes it.
final class Box<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    /// Puts it in, unless another thread was faster.
    ///
    /// - Returns: false when something was there before.
    @discardableResult
    func put(_ value: Value) -> Bool {
        content.withLock { content in
            guard content == nil else { return false }
            content = value
            return true
        }
    }

    /// What is in it.
    var value: Value? { content.withLock { $0 } }
}
