internal import CLinux
internal import Glibc
internal import System

/// Asks for approval at the terminal of a place without a display, and shows there what to touch.
///
/// `y` approves, and another letter selects the longer choice if the prompt offers one. Enter and everything else
/// refuse. A pinentry for terminals would start on its first button, so that Enter alone would approve.
package struct TerminalPrompter: Prompter {
    /// The number of bytes of an answer that are read.
    private static let longest = 64

    private let place: PromptPlace
    private let seconds: Int

    /// Creates a prompter for the terminal of a place.
    ///
    /// - Parameters:
    /// - place: the place of the prompt.
    /// - seconds: the time for one answer.
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

    /// Shows at the terminal what to touch; Enter ends the wait.
    ///
    /// It does not show a prompt that also accepts the passphrase, since typed text is visible here.
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

    /// Returns the typed text; a prompt that ends earlier starts a new line.
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

    /// Returns the text typed until the end of the line; empty if the terminal ends earlier.
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
            // Another program may have set the terminal to a mode without lines.
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

/// Guards a terminal while a program asks there.
///
/// Text typed before the prompt is not an answer to it. Afterwards the terminal is restored, even if the program was
/// killed in the middle of a hidden line.
struct TerminalGuard {
    let file: Int32
    private var modes = termios()

    /// Saves the state of the terminal; nil if the terminal has ended.
    init?(_ terminal: ControllingTerminal) {
        guard let file = terminal.open() else { return nil }
        guard unsafe tcgetattr(file, &modes) == 0 else {
            close(file)
            return nil
        }
        self.file = file
        tcflush(file, TCIFLUSH)
    }

    /// Prepares for one visible line; text that was typed before is dropped.
    func beginLine() {
        var modes = modes
        modes.c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK)
        modes.c_iflag |= tcflag_t(ICRNL)
        modes.c_oflag |= tcflag_t(OPOST | ONLCR)
        unsafe tcsetattr(file, TCSANOW, &modes)
        tcflush(file, TCIFLUSH)
    }

    /// Restores the terminal; called once, after the program has ended.
    func restore() {
        var modes = modes
        unsafe tcsetattr(file, TCSANOW, &modes)
        close(file)
    }
}
