internal import CLinux
internal import Glibc

/// Threads that may wait: for a client, for a person, for the vault.
///
/// Swift's own threads are as few as the machine has cores, and must never block; a connection gets one of
/// these. They receive no signals.
package enum OwnThread {
    /// Bytes of stack; only what is touched takes memory.
    package static let stackSize = 512 << 10

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// - Parameters:
    ///   - name: shown by the system's tools, cut to 15 bytes.
    ///   - stack: bytes of its stack.
    ///   - body: may wait as long as it likes.
    /// - Throws: `failed` when the system has no room for another thread.
    package static func start(
        _ name: String,
        stack: Int = stackSize,
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let work = unsafe Unmanaged.passRetained(Work(name, body))
        let code = unsafe hsip_thread_start(
            { context in
                guard let context = unsafe context else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                unsafe hsip_thread_name(work.name)
                work.body()
                return nil
            },
            work.toOpaque(),
            stack
        )
        guard code == 0 else {
            unsafe work.release()
            throw .failed(call: "pthread_create", code: code)
        }
    }
}
