internal import CLinux
internal import Glibc
internal import Synchronization

/// The end of a caller's interest in an answer: the client hung up, the agent locks or stops.
///
/// A thread that waits polls `descriptor` beside what it waits for; it becomes readable, and stays so, once the
/// interest is over. Nothing has to watch the client meanwhile: the kernel tells.
package final class Cancellation: Sendable {
    private let event: Int32
    private let gathering: Int32
    private let flag = Atomic(false)
    /// Kept alive as long as this one listens to them.
    private let parents: [Cancellation]

    /// Poll it for reading, never read it.
    package var descriptor: Int32 { gathering }

    /// An interest that ends by `cancel`, with any of its parents, or when the other end of a socket is gone.
    ///
    /// - Parameters:
    ///   - parents: ended before: this one is over at once.
    ///   - socket: must stay open as long as this value is in use.
    /// - Throws: `failed` when the system refuses the descriptors that it needs.
    package init(under parents: [Cancellation] = [], peer socket: Int32? = nil) throws(SystemError) {
        event = hsip_event_new()
        gathering = hsip_gathering_new()
        self.parents = parents
        var isReady = event >= 0 && gathering >= 0 && hsip_gathering_add(gathering, event, 0) == 0
        for parent in parents where isReady {
            isReady = hsip_gathering_add(gathering, parent.gathering, 0) == 0
        }
        if let socket, isReady { isReady = hsip_gathering_add(gathering, socket, 1) == 0 }
        guard isReady else { throw .failed(call: "epoll", code: errno) }
    }

    /// Ends the interest; the second time does nothing.
    package func cancel() {
        guard !flag.exchange(true, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        _ = unsafe write(event, &one, 8)
    }

    /// Whether the interest is over.
    package var isCancelled: Bool {
        if flag.load(ordering: .acquiring) { return true }
        var request = pollfd(fd: gathering, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) > 0
    }

    /// What ended a wait.
    package enum Waited: Equatable, Sendable {
        case ready
        case cancelled
        case timedOut
    }

    /// Waits until a descriptor is ready, the interest is over or the time is up; a cancelled interest comes
    /// first.
    ///
    /// - Parameters:
    ///   - descriptor: -1 for none: only the interest and the time end the wait.
    ///   - events: of poll(2). A closed other end counts as ready: reading tells.
    ///   - milliseconds: -1 for as long as it takes.
    /// - Returns: what ended the wait.
    package func wait(for descriptor: Int32, _ events: Int32 = POLLIN, milliseconds: Int32 = -1) -> Waited {
        while true {
            var requests = [
                pollfd(fd: gathering, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(events), revents: 0),
            ]
            let count = unsafe poll(&requests, 2, milliseconds)
            if requests[0].revents != 0 { return .cancelled }
            if requests[1].revents != 0 { return .ready }
            if count == 0 { return .timedOut }
        }
    }

    deinit {
        if gathering >= 0 { close(gathering) }
        if event >= 0 { close(event) }
    }
}
