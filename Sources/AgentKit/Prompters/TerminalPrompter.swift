internal import CLinux
internal import Glibc
internal import System

/// Asks for a yes or a no at the terminal of a place that has no display, and says there what to touch.
///
/// `y` is a yes, and another letter a yes that holds longer if the question offers one. Enter and all else is a no.
///
/// A pinentry for terminals begins on its first button, so that Enter alone would be a yes.
package struct TerminalPrompter: Prompter {
    /// Bytes of an answer that are looked at.
    private static let longest = 64

    private let place: PromptPlace
    private let seconds: Int

    /// A prompter for the terminal of a place.
    ///
    /// - Parameters:
    ///   - place: where the question appears.
    ///   - seconds: how long the person has for one answer.
    package init(place: PromptPlace, seconds: Int = PinentryPrompter.patience) {
        self.place = place
        self.seconds = seconds
    }

    package func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        guard !place.hasDisplay, let seat = place.terminal, let terminal = TerminalGuard(seat) else {
            throw .nobody
        }
        defer { terminal.restore() }
        let longer = question.longer.map { ["Type \($0.word.prefix(1)) \($0.meaning)."] } ?? []
        let text = (["", "HSIP Vault"] + question.lines + longer + [question.title]).joined(separator: "\n")
        let deadline = Deadline(seconds: seconds)
        terminal.beginLine()
        try write("\(text) \(question.keys) ", to: terminal.file, deadline, cancellation)
        let answer = try typed(at: terminal, deadline, cancellation)
        return question.answer(String(decoding: answer, as: UTF8.self), takesLetters: true)
    }

    /// Says at the terminal what has to be touched; Enter ends the wait.
    ///
    /// It leaves the question that also accepts the passphrase to others: nothing typed here is hidden.
    package func touch(_ question: PassphraseQuestion, _ cancellation: Cancellation) throws(PromptError) {
        guard question.kind == .touchAlone, !place.hasDisplay, let seat = place.terminal,
            let terminal = TerminalGuard(seat)
        else { throw .nobody }
        defer { terminal.restore() }
        let text = (["", "HSIP Vault"] + question.lines + [question.title]).joined(separator: "\n")
        let deadline = Deadline(seconds: seconds)
        terminal.beginLine()
        try write("\(text) (Enter: cancel) ", to: terminal.file, deadline, cancellation)
        _ = try typed(at: terminal, deadline, cancellation)
        throw .refused
    }

    /// What is typed; a question that ends before that leaves the line.
    private func typed(
        at terminal: TerminalGuard,
        _ deadline: Deadline,
        _ cancellation: Cancellation
    ) throws(PromptError) -> [UInt8] {
        do throws(PromptError) {
            return try line(of: terminal.file, deadline, cancellation)
        } catch {
            _ = unsafe Glibc.write(terminal.file, "\n", 1)
            throw error
        }
    }

    private func write(
        _ text: String,
        to file: Int32,
        _ deadline: Deadline,
        _ cancellation: Cancellation
    ) throws(PromptError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try wait(for: file, POLLOUT, deadline, cancellation)
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw .nobody }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// What is typed until the end of the line; nothing where the terminal ends before that.
    private func line(
        of file: Int32,
        _ deadline: Deadline,
        _ cancellation: Cancellation
    ) throws(PromptError) -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count <= Self.longest {
            try wait(for: file, POLLIN, deadline, cancellation)
            let count = unsafe read(file, &byte, 1)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count == 1 else { return [] }
            // Another program may have the terminal in a mode without lines.
            guard byte != 0x0A, byte != 0x0D else { return line }
            line.append(byte)
        }
        return []
    }

    private func wait(
        for file: Int32,
        _ events: Int32,
        _ deadline: Deadline,
        _ cancellation: Cancellation
    ) throws(PromptError) {
        switch cancellation.wait(for: file, events, milliseconds: deadline.remaining) {
        case .ready: return
        case .cancelled: throw .cancelled
        case .timedOut: throw .timedOut(seconds: seconds)
        }
    }
}

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
