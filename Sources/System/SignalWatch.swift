internal import Glibc
internal import Synchronization

/// Turns signals that would end the program into readable bytes.
///
/// So an open question can restore the terminal first, and a long operation can undo its changes.
package final class SignalWatch {
    /// The descriptor that the signal handler writes to; -1 if no watch exists.
    private static let bell = Atomic<Int32>(-1)
    private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let pipe: Pipe
    private var former: [(signal: Int32, action: sigaction)] = []

    /// The descriptor to poll for reading; each byte is the number of a signal.
    package var descriptor: Int32 { pipe.readEnd }

    /// Starts to watch; `stop` ends it.
    package init() throws(ProgramError) {
        pipe = try Pipe()
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        Self.bell.store(pipe.writeEnd, ordering: .releasing)
        for signal in Self.watched {
            var old = sigaction()
            unsafe sigaction(signal, nil, &old)
            // A signal that the parent ignored (nohup) stays ignored.
            if Self.isIgnored(old) { continue }
            var new = sigaction()
            unsafe new.__sigaction_handler.sa_handler = { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                let bell = SignalWatch.bell.load(ordering: .acquiring)
                if bell >= 0 { _ = unsafe write(bell, &byte, 1) }
                errno = saved
            }
            unsafe sigaction(signal, &new, nil)
            former.append((signal, old))
        }
    }

    /// The next signal that came, returned once; nil if no signal came.
    package var caught: Int32? {
        var request = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 0) > 0 else { return nil }
        var signal: UInt8 = 0
        return unsafe read(pipe.readEnd, &signal, 1) == 1 ? Int32(signal) : nil
    }

    /// Restores the former signal handlers.
    package func stop() {
        for (signal, action) in former {
            var action = action
            unsafe sigaction(signal, &action, nil)
        }
        former = []
        Self.bell.store(-1, ordering: .releasing)
        pipe.close()
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        // SIG_IGN is the address 1.
        unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
