internal import Files
internal import Glibc
package import System
internal import Text
package import VaultCrypto

/// The person at the terminal: questions go to `/dev/tty`, whatever stdin and stdout are, and are erased
/// once they are answered.
///
/// Every question names the flag that answers it in a script, or nil where only a person may; where no one may be asked, it
/// becomes `ConsoleError.inputNeeded` with that flag.
package struct Terminal: Sendable {
    /// Seconds without a key after which a question gives up.
    package static let patience = 120
    /// A mistyped yes or no is asked again this often.
    private static let attempts = 3

    private let isAllowed: Bool
    private let console: ConsoleEnvironment
    private let device: String

    /// `isAllowed` is false with `--no-input` or `$HSIP_NO_INPUT`.
    package init(isAllowed: Bool, console: ConsoleEnvironment, device: String = "/dev/tty") {
        self.isAllowed = isAllowed && !console.refusesInput
        self.console = console
        self.device = device
    }

    /// True when there is a terminal and it may be used.
    package var isAvailable: Bool {
        isAllowed && (try? OpenFile(named: device, O_RDWR)) != nil
    }

    /// Asks for a line; Enter alone takes the default.
    package func ask(
        _ question: String,
        default: String? = nil,
        flag: String?,
        flushesTypeAhead: Bool = false
    ) throws(ConsoleError) -> String {
        let display = Display(isUTF8: console.isUTF8)
        let offer = `default`.map { $0.isEmpty ? "" : " [\(display.cell($0))]" } ?? ""
        let asked = Question(
            text: "\(question)\(offer): ",
            kind: .line,
            flushesTypeAhead: flushesTypeAhead
        )
        let answer = try text(asked, flag: flag)
        return answer.isEmpty ? `default` ?? "" : answer
    }

    /// Asks for yes or no; Enter alone is no.
    package func confirm(_ question: String, flag: String? = "--yes") throws(ConsoleError) -> Bool {
        for _ in 0..<Self.attempts {
            let asked = Question(text: "\(question) [y/N] ", kind: .line, flushesTypeAhead: true)
            switch try text(asked, flag: flag).lowercased() {
            case "y", "yes": return true
            case "", "n", "no": return false
            default: continue
            }
        }
        return false
    }

    /// Asks for a value that must be the expected one: what cannot be undone, or has to be compared.
    ///
    /// White space does not count, so that digits may be typed in groups.
    package func typeIt(
        _ question: String,
        expected: String,
        flag: String? = "--expect"
    ) throws(ConsoleError) -> Bool {
        let asked = Question(text: "\(question) ", kind: .line, flushesTypeAhead: true)
        return Self.matches(try text(asked, flag: flag), expected)
    }

    /// The comparison of `typeIt`, for a value that came by its flag.
    package static func matches(_ value: String, _ expected: String) -> Bool {
        let value = value.filter { !$0.isWhitespace }
        return !value.isEmpty && value == expected.filter { !$0.isWhitespace }
    }

    /// Asks for one of several; the answer is its number, or its text.
    package func choose(
        _ question: String,
        among options: [String],
        flag: String,
        flushesTypeAhead: Bool = false
    ) throws(ConsoleError) -> Int {
        let list = options.enumerated().map { "  \($0.offset + 1)  \($0.element)\n" }.joined()
        for _ in 0..<Self.attempts {
            var asked = Question(text: "\(question)\n\(list)Number: ", kind: .line)
            asked.flushesTypeAhead = flushesTypeAhead
            let answer = try text(asked, flag: flag)
            if let number = Int(answer), options.indices.contains(number - 1) { return number - 1 }
            if let index = options.firstIndex(of: answer) { return index }
        }
        throw .refused
    }

    /// Waits for Enter.
    package func pause(_ question: String, flag: String) throws(ConsoleError) {
        _ = try text(Question(text: "\(question) ", kind: .line), flag: flag)
    }

    /// Shows a line while `body` runs, which gets a descriptor that can be read once a person has pressed Enter.
    package func showing<R, E: Error>(
        _ text: String,
        _ body: (_ enter: Int32) throws(E) -> R
    ) throws(E) -> R? {
        guard isAllowed, let file = try? OpenFile(named: device, O_RDWR) else { return nil }
        let terminal = file.descriptor.number
        try? file.descriptor.write("\(text)\n")
        tcflush(terminal, TCIFLUSH)
        defer { tcflush(terminal, TCIFLUSH) }
        return try body(terminal)
    }

    /// Shows a line until a person presses Enter or `descriptor` can be read.
    ///
    /// - Returns: whether Enter was pressed.
    package func isEntered(_ text: String, before descriptor: Int32) -> Bool {
        showing(text) { enter in
            var requests = [
                pollfd(fd: enter, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            while unsafe poll(&requests, 2, -1) < 0, errno == EINTR {}
            return requests[1].revents == 0
        } ?? false
    }

    /// Shows text that stays, on the terminal and nowhere else: a recovery code.
    package func show(
        _ text: borrowing some ByteSource & ~Copyable,
        flag: String
    ) throws(ConsoleError) {
        let file = try openOrExplain(flag)
        try file.use { (descriptor) throws(ConsoleError) in try descriptor.write(text) }
    }

    func text(_ question: Question, flag: String?) throws(ConsoleError) -> String {
        let answer = try secret(question, flag: flag).withBytes { $0.copied() }
        guard let shown = String(validating: answer, as: UTF8.self) else { throw .notText }
        let text = Display.withoutIsolates(shown)
        let start = text.drop { $0.isWhitespace }
        return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
    }

    func secret(_ question: Question, flag: String?) throws(ConsoleError) -> SecretBytes {
        _ = try openOrExplain(flag)
        return try LineEditor.ask(question, device: device, in: console)
    }

    private func openOrExplain(_ flag: String?) throws(ConsoleError) -> OpenFile {
        guard isAllowed, let file = try? OpenFile(named: device, O_RDWR) else {
            throw .inputNeeded(flag: flag)
        }
        return file
    }
}

/// What can go wrong between the program and the person at the terminal; one set of errors with the files and the
/// helper programs after it.
package typealias ConsoleError = ProgramError
