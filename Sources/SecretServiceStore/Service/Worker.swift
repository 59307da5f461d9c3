internal import Dispatch
internal import Glibc
internal import RecordStore
internal import Synchronization

/// The single thread that runs a service's calls to libsecret and owns the connection.
///
/// After the worker is freed, the thread finishes its jobs, closes the connection and ends.
final class Worker: Sendable {
    /// A job for the thread, which gets the thread's connection, nil before the first one.
    typealias Job = @Sendable (inout Link?) -> Void

    private let queue: Queue

    /// Starts the thread.
    ///
    /// - Throws: `io` if the system cannot create a thread.
    init() throws(StoreError) {
        queue = Queue()
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(queue).toOpaque()
        let code = unsafe pthread_create(&thread, nil, { unsafe Worker.run($0) }, context)
        guard code == 0 else {
            unsafe Unmanaged<Queue>.fromOpaque(context).release()
            throw StoreError(errno: code)
        }
        pthread_detach(thread)
    }

    /// Appends a job.
    func add(_ job: @escaping Job) { queue.add(job) }

    deinit { queue.add(nil) }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context = unsafe context else { return nil }
        let queue = unsafe Unmanaged<Queue>.fromOpaque(context).takeRetainedValue()
        var link: Link?
        while let job = queue.next() { job(&link) }
        return nil
    }

    private final class Queue: Sendable {
        private let jobs = Mutex<[Job?]>([])
        private let filled = DispatchSemaphore(value: 0)

        func add(_ job: Job?) {
            jobs.withLock { $0.append(job) }
            filled.signal()
        }

        /// Waits for the next job and returns it; nil if the worker was freed.
        func next() -> Job? {
            filled.wait()
            return jobs.withLock { $0.removeFirst() }
        }
    }
}
