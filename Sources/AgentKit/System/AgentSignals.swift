internal import CLinux
internal import Glibc

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
