internal import CLinux
internal import Glibc
internal import Synchronization

/// The end of a caller's interest in an answer: the client hung up, the agent locks or stops.
///
/// A thread that waits polls `descriptor` beside what it waits for; it becomes readable, and stays so, once the
/// interest is over. Nothing has to watch the client meanwhile: the kernel tells.
package final class Cancellation: Sendable {
    private struct Descriptors {
        let event: Int32
        let gathering: Int32
    }

    /// Made when a thread first waits: most interests end without that.
    private let descriptors = Mutex<Descriptors?>(nil)
    private let flag = Atomic(false)
    /// Kept alive as long as this one listens to them.
    private let parents: [Cancellation]
    private let socket: Int32?

    /// Poll it for reading, never read it; -1 if the system has no descriptor left.
    package var descriptor: Int32 { (try? made())?.gathering ?? -1 }

    /// An interest that ends by `cancel`, with any of its parents, or when the other end of a socket is gone.
    ///
    /// - Parameters:
    ///   - parents: ended before: this one is over at once.
    ///   - socket: must stay open as long as this value is in use.
    /// - Throws: `failed` when the system refuses the descriptors that an interest of its own needs.
    package init(under parents: [Cancellation] = [], peer socket: Int32? = nil) throws(SystemError) {
        (self.parents, self.socket) = (parents, socket)
        // It is there to be waited for.
        if parents.isEmpty { _ = try made() }
    }

    private func made() throws(SystemError) -> Descriptors {
        try descriptors.withLock { descriptors throws(SystemError) in
            if let descriptors { return descriptors }
            let new = Descriptors(event: hsip_event_new(), gathering: hsip_gathering_new())
            var isReady =
                new.event >= 0 && new.gathering >= 0 && hsip_gathering_add(new.gathering, new.event, 0) == 0
            for parent in parents where isReady {
                isReady = hsip_gathering_add(new.gathering, parent.descriptor, 0) == 0
            }
            if let socket, isReady { isReady = hsip_gathering_add(new.gathering, socket, 1) == 0 }
            guard isReady else {
                let code = errno
                Self.close(new)
                throw .failed(call: "epoll", code: code)
            }
            if flag.load(ordering: .sequentiallyConsistent) { Self.tell(new) }
            descriptors = new
            return new
        }
    }

    private static func tell(_ descriptors: Descriptors) {
        var one: UInt64 = 1
        _ = unsafe write(descriptors.event, &one, 8)
    }

    private static func close(_ descriptors: Descriptors) {
        for descriptor in [descriptors.gathering, descriptors.event] where descriptor >= 0 {
            Glibc.close(descriptor)
        }
    }

    /// Ends the interest; the second time does nothing.
    package func cancel() {
        guard !flag.exchange(true, ordering: .sequentiallyConsistent) else { return }
        descriptors.withLock { if let descriptors = $0 { Self.tell(descriptors) } }
    }

    /// Whether the interest is over.
    package var isCancelled: Bool {
        if flag.load(ordering: .acquiring) || parents.contains(where: \.isCancelled) { return true }
        guard let socket else { return false }
        // The end of the other side is told without being asked for.
        var request = pollfd(fd: socket, events: 0, revents: 0)
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
    /// - Returns: what ended the wait; `cancelled` also if the system has no descriptor left to wait with.
    package func wait(for descriptor: Int32, _ events: Int32 = POLLIN, milliseconds: Int32 = -1) -> Waited {
        guard let gathering = (try? made())?.gathering else { return .cancelled }
        Blocking.tellWait()
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
        descriptors.withLock { if let descriptors = $0 { Self.close(descriptors) } }
    }
}
