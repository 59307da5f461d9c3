internal import Files
internal import Glibc
internal import System

/// Keeps the terminal from showing what is typed while the program is busy between two questions.
///
/// A person who types a passphrase again before it is asked for should not see it on the screen. A signal that
/// would end the program waits for `end` and then does, so that the terminal never stays without its echo.
package final class EchoOff {
    private let file: OpenFile
    private let signals: SignalWatch
    private var saved = termios()
    private var isOver = false

    /// Nil where there is no terminal, or it does not obey: then there is nothing to hide.
    package init?(device: String = "/dev/tty") {
        guard let file = try? OpenFile(named: device, O_RDWR),
            // In the background the terminal is another program's: setting it would stop the program.
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

    /// Shows again what is typed; a signal that came meanwhile now does what it always does.
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
