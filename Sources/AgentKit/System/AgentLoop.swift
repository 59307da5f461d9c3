internal import CLinux
internal import Glibc

/// What the agent's first thread does: waits for signals, for the time to lock, and for the loss of its sockets.
package struct AgentLoop: Sendable {
    /// Why the agent ends.
    package enum End: Equatable, Sendable {
        /// A signal, or a client that may, asked for it.
        case asked
        /// A socket of this agent is gone or belongs to another one: no client could reach it any more.
        case socketGone(path: String)
    }

    /// Milliseconds between two times of tidying.
    private static let pause: Int32 = 30_000

    private let core: AgentCore
    private let timer: LockTimer
    private let signals: AgentSignals
    private let listeners: [Listener]
    private let stop: Cancellation
    private let tidy: @Sendable () -> Void
    private let dropKeys: @Sendable () -> Void

    /// A loop over all that the first thread waits for.
    ///
    /// - Parameters:
    ///   - core: locks the vault, on a signal or when it is time.
    ///   - timer: tells when the vault has to lock.
    ///   - signals: those that lock the vault, drop keys or end the agent.
    ///   - listeners: the sockets of the agent; it ends when one of them is gone.
    ///   - stop: over when the agent was asked to end.
    ///   - tidy: wipes what is past its time; called at least every 30 seconds.
    ///   - dropKeys: forgets the keys that were added for this session only.
    package init(
        core: AgentCore,
        timer: LockTimer,
        signals: AgentSignals,
        listeners: [Listener],
        stop: Cancellation,
        tidy: @escaping @Sendable () -> Void,
        dropKeys: @escaping @Sendable () -> Void
    ) {
        (self.core, self.timer, self.signals) = (core, timer, signals)
        (self.listeners, self.stop) = (listeners, stop)
        (self.tidy, self.dropKeys) = (tidy, dropKeys)
    }

    /// Waits until the agent has to end; the vault may still be open then.
    package func run() -> End {
        let folders = Set(
            listeners.map { String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.startIndex)]) }
        )
        let watches = folders.compactMap { FolderWatch($0) }
        let descriptors = [stop.descriptor, signals.descriptor, timer.descriptor] + watches.map(\.descriptor)
        while true {
            // Looked at before each wait: the folder may have changed before it was watched.
            if let gone = listeners.first(where: { !$0.isInPlace }) { return .socketGone(path: gone.path) }
            var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = unsafe poll(&requests, nfds_t(requests.count), Self.pause)
            tidy()
            if requests[0].revents != 0 { return .asked }
            if requests[1].revents != 0, !obeySignals() { return .asked }
            if requests[2].revents != 0 { lockIfDue() }
            for watch in watches { watch.seen() }
        }
    }

    /// False when a signal asks for the end.
    private func obeySignals() -> Bool {
        while let wish = signals.next() {
            switch wish {
            case .stop: return false
            case .lock: core.lock(.request)
            case .dropKeys: dropKeys()
            }
        }
        return true
    }

    private func lockIfDue() {
        switch timer.due() {
        case .idle: core.lock(.idle)
        case .absolute: core.lock(.absolute)
        case nil: break
        }
    }
}

/// Notices that files of a folder come, go or move.
final class FolderWatch: Sendable {
    /// Poll it for reading, then call `seen`.
    let descriptor: Int32

    /// Watches a folder; nil where the system has no room for it.
    init?(_ path: String) {
        descriptor = unsafe hsip_folder_watch(path)
        guard descriptor >= 0 else { return nil }
    }

    func seen() { hsip_folder_seen(descriptor) }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The signals that mean something to the agent, as a descriptor to poll.
package final class AgentSignals: Sendable {
    /// What a signal asks for.
    package enum Action: Sendable, Equatable {
        /// SIGTERM, SIGINT, SIGQUIT: wipe, and end.
        case stop
        /// SIGHUP: lock.
        case lock
        /// SIGUSR1: forget the keys that were only added for this session, as ssh-agent does.
        case dropKeys
    }

    package let descriptor: Int32

    /// Takes the signals over.
    ///
    /// Before the program starts its second thread: threads inherit that they are blocked. SIGPIPE is ignored from here on.
    package init() throws(SystemError) {
        descriptor = hsip_signals_new()
        guard descriptor >= 0 else { throw .failed(call: "signalfd", code: errno) }
    }

    /// What the next signal asks for; nil when none came.
    package func next() -> Action? {
        switch hsip_signals_next(descriptor) {
        case SIGTERM, SIGINT, SIGQUIT: .stop
        case SIGHUP: .lock
        case SIGUSR1: .dropKeys
        default: nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
