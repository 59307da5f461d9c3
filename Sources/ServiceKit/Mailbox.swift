package import AgentProtocol
internal import CLinux
internal import Glibc
internal import Synchronization
internal import VaultKit

/// What other threads leave for the thread that owns the bus, which waits for it with `wait`.
///
/// The tasks that pass messages on run on that thread, too, so that no other has to be woken for them.
package final class Mailbox: TaskExecutor {
    /// Something to look at.
    enum News: Equatable, Sendable {
        /// The work of this number has its result.
        case finished(UInt64)
        /// The work of this number waits for a person.
        case asking(UInt64)
        case opened
        case locked
        /// Items or collections are others than before: which items, or nil for more than can be named.
        case changed(ItemNews?)
        case stop
    }

    private struct Content {
        var news: [News] = []
        var jobs: [UnownedJob] = []
        /// Whether the owner waits, and has to be woken for the first of these.
        var isAwaited = false
    }

    private let descriptor: Int32
    private let content = Mutex(Content())

    /// Fails when the system has no descriptor left.
    package init?() {
        descriptor = hsip_event_new()
        guard descriptor >= 0 else { return nil }
    }

    func post(_ one: News) { put { $0.news.append(one) } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        put { $0.jobs.append(job) }
    }

    /// Wakes the owner if it waits.
    private func put(_ change: (inout Content) -> Void) {
        let isAwaited = content.withLock { content in
            change(&content)
            defer { content.isAwaited = false }
            return content.isAwaited
        }
        guard isAwaited else { return }
        var count: UInt64 = 1
        _ = unsafe write(descriptor, &count, 8)
    }

    /// Whether no news and no job is here.
    var isEmpty: Bool { content.withLock { $0.news.isEmpty && $0.jobs.isEmpty } }

    /// Waits until something is here, a descriptor is ready, or some milliseconds are over; -1 for ever.
    func wait(for requests: inout [pollfd], _ milliseconds: Int32) {
        let isEmpty = content.withLock { content in
            content.isAwaited = content.news.isEmpty && content.jobs.isEmpty
            return content.isAwaited
        }
        requests.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        _ = unsafe poll(&requests, UInt(requests.count), isEmpty ? milliseconds : 0)
        content.withLock { $0.isAwaited = false }
        guard let own = requests.popLast(), own.revents != 0 else { return }
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
    }

    /// Posts an event of the agent.
    package func hear(_ event: AgentEvent) {
        switch event.event {
        case .opened: post(.opened)
        case .locked: post(.locked)
        case .items: post(.changed(event.items))
        case .waiting, .asking, .rootPutBack: break
        }
    }

    /// Ends the service.
    package func stop() { post(.stop) }

    /// Runs the parts of tasks that are due.
    ///
    /// - Returns: The news since the last time.
    func take() -> [News] {
        let taken = content.withLock { content in
            defer { content = Content() }
            return content
        }
        for job in taken.jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        return taken.news
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The result of some work, from the thread that did it to the one that waits for it.
final class ResultBox<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func put(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }

    func take() -> Result<Value, any Error>? { result.withLock { $0 } }
}
