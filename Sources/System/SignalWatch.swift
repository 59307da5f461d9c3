internal import Glibc
internal import Synchronization

/// Turns a signal that would end the program into a byte to be read, so that an open question can put the
/// terminal in order first, and a long act can take back what it began.
package final class SignalWatch {
    /// The descriptor that the handler writes to; -1 while nothing watches.
    private static let bell = Atomic<Int32>(-1)
    private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let pipe: Pipe
    private var former: [(signal: Int32, action: sigaction)] = []

    /// Poll this for reading; the byte is the signal's number.
    package var descriptor: Int32 { pipe.readEnd }

    /// Watches until `stop`.
    package init() throws(ProgramError) {
        pipe = try Pipe()
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        Self.bell.store(pipe.writeEnd, ordering: .releasing)
        for signal in Self.watched {
            var old = sigaction()
            unsafe sigaction(signal, nil, &old)
            // What the parent had ignored (nohup) stays ignored.
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

    /// The signal that came, if one has; it is returned once.
    package var caught: Int32? {
        var request = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 0) > 0 else { return nil }
        var signal: UInt8 = 0
        return unsafe read(pipe.readEnd, &signal, 1) == 1 ? Int32(signal) : nil
    }

    /// Puts the former handlers back.
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
