internal import CLinux
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Waits on a thread of our own for what only a task can do: a call of the vault's actor.
///
/// The task runs on the thread that waits for it, so that no other has to be woken for it. Never from a task: that
/// would block one of Swift's few threads, and with all of them blocked nothing moves.
package enum Blocking {
    /// The waiting thread as the place where the parts of a task run.
    private final class Place<R: Sendable>: TaskExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            var result: R?
            var isOver = false
        }

        private let state = Mutex(State())
        /// Counts the jobs, and the result.
        private let arrived = DispatchSemaphore(value: 0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isTaken = state.withLock { state in
                if !state.isOver { state.jobs.append(job) }
                return !state.isOver
            }
            if isTaken { arrived.signal() } else { pass(job) }
        }

        func finish(_ result: R) {
            state.withLock { $0.result = result }
            arrived.signal()
        }

        /// Runs what arrives until the result is there.
        func wait() -> R {
            hsip_thread_set_may_wait(1)
            defer { hsip_thread_set_may_wait(0) }
            while true {
                // Longer than a usual call: other work of the vault comes first.
                if arrived.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
                    Blocking.tellWait()
                    arrived.wait()
                }
                let (job, result) = state.withLock { state in
                    (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.result)
                }
                if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
                if let result {
                    close()
                    return result
                }
            }
        }

        /// An actor may have left something here that it has to do for others.
        private func close() {
            let rest = state.withLock { state in
                defer { state.jobs = [] }
                state.isOver = true
                return state.jobs
            }
            for job in rest { pass(job) }
        }

        private func pass(_ job: UnownedJob) {
            DispatchQueue.global().async { [self] in
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    /// Runs `body` as a task and waits for its result.
    package static func wait<R: Sendable, E: Error>(
        _ body: @escaping @Sendable () async throws(E) -> R
    ) throws(E) -> R {
        let place = Place<Result<R, E>>()
        Task.detached(executorPreference: place, priority: .medium) {
            let result: Result<R, E>
            do throws(E) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            place.finish(result)
        }
        return try place.wait().get()
    }

    /// Who is told that a thread waits, by the thread.
    private static let listeners = Mutex<[UInt: @Sendable () -> Void]>([:])

    /// Does something on this thread; each time before it waits for long, `waits` is called.
    static func telling(_ waits: @escaping @Sendable () -> Void, _ body: () -> Void) {
        let thread = pthread_self()
        listeners.withLock { $0[thread] = waits }
        body()
        listeners.withLock { _ = $0.removeValue(forKey: thread) }
    }

    /// Says that this thread is about to wait.
    static func tellWait() { listeners.withLock { $0[pthread_self()] }?() }
}
