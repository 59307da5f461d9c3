internal import CLinux
internal import Glibc

/// A process behind a descriptor (pidfd_open(2)): a later process with its number is not mistaken for it.
package final class ProcessWatch: Sendable {
    /// Can be read from when the process has ended.
    package let descriptor: Int32

    /// Watches the process that has a number now; nil if none has.
    package init?(_ pid: Int32) {
        descriptor = hsip_process_open(pid)
        guard descriptor >= 0 else { return nil }
    }

    /// Watches a process; nil if it has ended.
    package convenience init?(_ process: ProcessID) {
        self.init(process.pid)
        // Opened first, read second, and checked last: if it still runs, it is the process that was read.
        guard process.isRunning, isRunning else { return nil }
    }

    /// Watches the process behind a descriptor, and closes the descriptor at the end.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// Whether it still runs.
    package var isRunning: Bool { Self.isRunning(descriptor) }

    static func isRunning(_ descriptor: Int32) -> Bool {
        // poll(2) passes over a negative one, as if it ran.
        guard descriptor >= 0 else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) == 0
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
