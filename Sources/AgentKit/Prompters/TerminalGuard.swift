internal import CLinux
internal import Glibc

/// A terminal while a program asks there: what was typed before the question is no answer to it, and afterwards the
/// terminal is as it was, also when the program was ended in the middle of a hidden line.
struct TerminalGuard {
    let file: Int32
    private var modes = termios()

    /// Takes the terminal; nil when it is gone.
    init?(_ terminal: ControllingTerminal) {
        guard let file = terminal.open() else { return nil }
        guard unsafe tcgetattr(file, &modes) == 0 else {
            close(file)
            return nil
        }
        self.file = file
        tcflush(file, TCIFLUSH)
    }

    /// What is typed from now on is one line, and can be seen; what was typed before is no part of it.
    func beginLine() {
        var modes = modes
        modes.c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK)
        modes.c_iflag |= tcflag_t(ICRNL)
        modes.c_oflag |= tcflag_t(OPOST | ONLCR)
        unsafe tcsetattr(file, TCSANOW, &modes)
        tcflush(file, TCIFLUSH)
    }

    /// Puts it back in order; called once, after the program has ended.
    func restore() {
        var modes = modes
        unsafe tcsetattr(file, TCSANOW, &modes)
        close(file)
    }
}
