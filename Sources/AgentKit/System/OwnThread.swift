internal import CLinux
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads that may wait: for a client, for a person, for the vault.
///
/// Swift's own threads are as few as the machine has cores, and must never block; a connection gets one of
/// these. They receive no signals. A thread that is done waits a while for more, as a new one takes ten times as
/// long as waking it; nothing that ran on it stays on its stack meanwhile.
package enum OwnThread {
    /// Bytes of stack, of which what is touched takes memory: 64 KiB stay with a thread that wiped it.
    package static let stackSize = 512 << 10
    /// Threads that wait for more at most.
    private static let maximum = 4
    /// Seconds that they wait.
    private static let patience = 10

    private static let idle = Mutex<[Worker]>([])

    private struct Work: Sendable {
        let name: String
        let body: @Sendable () -> Void
    }

    private final class Worker: Sendable {
        private let next: Mutex<Work?>
        private let woken = DispatchSemaphore(value: 0)
        private let isKept: Bool

        init(_ work: Work, isKept: Bool) {
            next = Mutex(work)
            self.isKept = isKept
        }

        func give(_ work: Work) {
            next.withLock { $0 = work }
            woken.signal()
        }

        func run() {
            while takeOne() {
                OwnThread.forget()
                guard isKept, waits() else { return }
            }
        }

        /// What it did is released before it waits.
        private func takeOne() -> Bool {
            let work = next.withLock { next in
                defer { next = nil }
                return next
            }
            guard let work else { return false }
            unsafe hsip_thread_name(work.name)
            work.body()
            return true
        }

        private func waits() -> Bool {
            let isPlace = OwnThread.idle.withLock { idle in
                guard idle.count < OwnThread.maximum else { return false }
                idle.append(self)
                return true
            }
            guard isPlace else { return false }
            if woken.wait(timeout: .now() + .seconds(OwnThread.patience)) == .success { return true }
            let isMine = OwnThread.idle.withLock { idle in
                guard let place = idle.firstIndex(where: { $0 === self }) else { return false }
                idle.remove(at: place)
                return true
            }
            // There is work for it at this very moment.
            if !isMine { woken.wait() }
            return !isMine
        }
    }

    /// Wipes the unused part of this thread's stack.
    package static func forget() { hsip_thread_forget() }

    /// Runs `body` on a thread that does nothing else meanwhile.
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
        let work = Work(name: name, body: body)
        if stack == stackSize, let worker = idle.withLock({ $0.popLast() }) { return worker.give(work) }
        let worker = unsafe Unmanaged.passRetained(Worker(work, isKept: stack == stackSize))
        let code = unsafe hsip_thread_start(
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Worker>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            worker.toOpaque(),
            stack
        )
        guard code == 0 else {
            unsafe worker.release()
            throw .failed(call: "pthread_create", code: code)
        }
    }
}
