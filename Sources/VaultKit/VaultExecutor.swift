internal import CLinux
internal import Dispatch
internal import Synchronization

/// One queue for one vault: a disk that makes SQLite wait, or a person asked by a keyring, blocks this queue
/// and never Swift's shared threads.
///
/// A thread that waits for the vault and may do nothing else does the work itself if the vault is free: no other thread has
/// to be woken.
final class VaultExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isBusy = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "io.hsip.vault")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFree = state.withLock { state in
            guard !state.isBusy else {
                state.jobs.append(job)
                return false
            }
            state.isBusy = true
            return true
        }
        guard isFree else { return }
        if hsip_thread_may_wait() != 0 { run(job) } else { queue.async { [self] in run(job) } }
    }

    private func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        let next = state.withLock { state -> UnownedJob? in
            state.isBusy = !state.jobs.isEmpty
            return state.isBusy ? state.jobs.removeFirst() : nil
        }
        // The work of others is not for a thread that has its own result by now.
        if let next { queue.async { [self] in run(next) } }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }
}
