internal import Synchronization

/// A value that one thread at a time uses, such as a handle of a C library.
///
/// `Mutex` needs values that no other part of the program can reach, which a closure with captures cannot promise. Here
/// the value never leaves: it is passed to a closure, under a lock.
package final class Exclusive<Value>: Sendable {
    private let lock = Mutex<Void>(())
    private nonisolated(unsafe) let value: Value

    package init(_ value: sending Value) { unsafe self.value = value }

    /// Passes the value to `body`; calls from several threads run one after the other.
    ///
    /// A call inside a call never returns.
    package func with<R, E: Error>(_ body: (Value) throws(E) -> R) throws(E) -> R {
        try lock.withLock { _ throws(E) in Given(value: try body(unsafe value)) }.value
    }
}

/// The result of a body, which goes to its own caller, on the thread that it ran on.
private struct Given<Value>: @unchecked Sendable {
    let value: Value
}
