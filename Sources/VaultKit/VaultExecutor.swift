internal import Dispatch

/// One queue for one vault: a disk that makes SQLite wait, or a person asked by a keyring, blocks this queue
/// and never Swift's shared threads.
final class VaultExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "io.hsip.vault")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedSerialExecutor()
        queue.async { unsafe job.runSynchronously(on: executor) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }
}
