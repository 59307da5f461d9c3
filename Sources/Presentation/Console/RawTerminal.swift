internal import Files
internal import Glibc
internal import System
internal import VaultCrypto

/// The terminal while a question is open: key by key, without echo, with bracketed paste.
///
/// `close` restores the terminal. Signals that would end the program become errors here first.
final class RawTerminal {
    private let file: OpenFile
    private let signals: SignalWatch
    private var saved = termios()
    private let isDumb: Bool
    private var chunk: SecretBytes

    init(device: String, hidden: Bool, flush: Bool, isDumb: Bool) throws(ConsoleError) {
        file = try OpenFile(named: device, O_RDWR)
        self.isDumb = isDumb
        chunk = try SecretBuffer.memory(1_024)
        guard unsafe tcgetattr(file.descriptor.number, &saved) == 0 else { throw ConsoleError(errno: errno) }
        signals = try SignalWatch()
        var quiet = saved
        Self.prepare(&quiet, hidden: hidden, isDumb: isDumb)
        guard unsafe tcsetattr(file.descriptor.number, flush ? TCSAFLUSH : TCSADRAIN, &quiet) == 0 else {
            let code = errno
            signals.stop()
            throw ConsoleError(errno: code)
        }
        if !isDumb { write("\u{1B}[?2004h") }
    }

    /// The current window; its size may change while a question waits.
    var window: WindowSize? { ConsoleEnvironment.window(of: file.descriptor.number) }

    /// Writes to the terminal; failures are ignored.
    func write(_ text: String) {
        try? file.descriptor.write(text)
    }

    /// Writes to the terminal from locked memory.
    func write(_ text: borrowing SecretBytes) {
        try? file.descriptor.write(text)
    }

    /// Waits for keys and passes them to `body`.
    ///
    /// - Throws: `timedOut`, `interrupted`, `refused` when the terminal has gone.
    func keys<R: ~Copyable>(
        within seconds: Int?,
        _ body: (RawSpan, _ count: Int) throws(ConsoleError) -> R
    ) throws(ConsoleError) -> R {
        let deadline = seconds.map { Deadline(seconds: $0) }
        while true {
            var requests = [
                pollfd(fd: file.descriptor.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let ready = unsafe poll(&requests, 2, deadline?.remaining ?? -1)
            guard ready != 0 else { throw .timedOut(seconds: seconds ?? 0) }
            if requests[1].revents != 0 {
                var signal: UInt8 = 0
                unsafe _ = read(signals.descriptor, &signal, 1)
                throw .interrupted(signal: Int32(signal))
            }
            guard requests[0].revents != 0 else { continue }
            let count = try chunk.withMutableBytes { span throws(ConsoleError) in
                try file.descriptor.read(into: &span)
            }
            guard count > 0 else { throw .refused }
            return try chunk.withBytes { span throws(ConsoleError) in try body(span, count) }
        }
    }

    /// Whether more keys follow immediately: nobody types that fast, so they belong to a paste.
    func hasMore() -> Bool {
        var request = pollfd(fd: file.descriptor.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 20) > 0
    }

    /// Restores the terminal; after a failure, it discards keys that were meant for the question.
    func close(discardsKeys: Bool) {
        if !isDumb { write("\u{1B}[?2004l") }
        unsafe tcsetattr(file.descriptor.number, discardsKeys ? TCSAFLUSH : TCSADRAIN, &saved)
        signals.stop()
    }

    private static func prepare(_ mode: inout termios, hidden: Bool, isDumb: Bool) {
        if hidden || !isDumb {
            mode.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        }
        if isDumb {
            // The terminal edits whole lines itself; Ctrl-Z would leave it without its echo.
            setControl(&mode, VSUSP, 0)
            return
        }
        mode.c_lflag &= ~tcflag_t(ICANON | ISIG | IEXTEN)
        mode.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP)
        setControl(&mode, VMIN, 1)
        setControl(&mode, VTIME, 0)
    }

    /// Sets a control character; Swift imports them as a tuple.
    private static func setControl(_ mode: inout termios, _ index: Int32, _ value: UInt8) {
        unsafe withUnsafeMutableBytes(of: &mode.c_cc) { unsafe $0[Int(index)] = value }
    }
}

/// Turns off the terminal's echo while the program works between two questions.
///
/// A passphrase that a person types too early does not appear on the screen. A signal that would end the program is
/// delayed until `end`, so that the terminal always gets its echo back.
package final class EchoOff {
    private let file: OpenFile
    private let signals: SignalWatch
    private var saved = termios()
    private var isOver = false

    /// Creates it; nil without a terminal, or if the terminal refuses: then nothing can be hidden.
    package init?(device: String = "/dev/tty") {
        guard let file = try? OpenFile(named: device, O_RDWR),
            // If the program is in the background, the terminal belongs to another program, and setting it would stop
            // this one.
            tcgetpgrp(file.descriptor.number) == getpgrp(),
            let signals = try? SignalWatch()
        else { return nil }
        self.file = file
        self.signals = signals
        var quiet = termios()
        guard unsafe tcgetattr(file.descriptor.number, &saved) == 0 else {
            signals.stop()
            return nil
        }
        quiet = saved
        quiet.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        guard unsafe tcsetattr(file.descriptor.number, TCSADRAIN, &quiet) == 0 else {
            signals.stop()
            return nil
        }
    }

    /// Restores the echo; a delayed signal takes effect now.
    package func end() {
        guard !isOver else { return }
        isOver = true
        var request = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        var signal: UInt8 = 0
        let came = unsafe poll(&request, 1, 0) > 0 && read(signals.descriptor, &signal, 1) == 1
        unsafe tcsetattr(file.descriptor.number, TCSADRAIN, &saved)
        signals.stop()
        if came { raise(Int32(signal)) }
    }

    deinit { end() }
}
