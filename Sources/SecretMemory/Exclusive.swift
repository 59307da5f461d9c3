internal import Synchronization

/// A value that one thread at a time uses: a handle of a C library, for one.
///
/// `Mutex` wants values that no other part of the program can reach, which a closure with captures of its own cannot
/// promise. Here the value never leaves: it is passed to a closure, under a lock.
package final class Exclusive<Value>: Sendable {
    private let lock = Mutex<Void>(())
    private nonisolated(unsafe) let value: Value

    package init(_ value: sending Value) { unsafe self.value = value }

    /// Passes the value to `body`; calls of several threads take turns.
    ///
    /// A call inside of a call waits for ever.
    package func with<R, E: Error>(_ body: (Value) throws(E) -> R) throws(E) -> R {
        try lock.withLock { _ throws(E) in Given(value: try body(unsafe value)) }.value
    }
}

/// What a body gives back goes to its own caller, on the thread that it ran on.
private struct Given<Value>: @unchecked Sendable {
    let value: Value
}
