internal import Glibc
internal import Programs
internal import SafeText
package import VaultCrypto

/// The person at the terminal: questions go to `/dev/tty`, whatever stdin and stdout are, and are erased
/// once they are answered.
///
/// Every question names the flag that answers it in a script; where no one may be asked, it becomes
/// `ConsoleError.inputNeeded` with that flag.
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
        isAllowed && (try? OpenFile(device, O_RDWR)) != nil
    }

    /// Asks for a line; Enter alone takes the default.
    package func ask(
        _ question: String,
        default: String? = nil,
        flag: String,
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
    package func confirm(_ question: String, flag: String = "--yes") throws(ConsoleError) -> Bool {
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
        flag: String = "--expect"
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

    /// Asks for a passphrase or another secret of one line: nothing of it is shown, not even its length.
    package func askHidden(_ question: String, flag: String) throws(ConsoleError) -> SecretBytes {
        try hidden(question, .hiddenLine, limit: 4_096, flag: flag)
    }

    /// Asks for a secret of several lines: a note.
    ///
    /// Ctrl-D ends it, which the question should say.
    package func askHiddenText(
        _ question: String,
        limit: Int = OwnFile.textLimit,
        flag: String
    ) throws(ConsoleError) -> SecretBytes {
        try hidden(question, .hiddenText, limit: limit, flag: flag)
    }

    /// Asks for a new secret twice; Enter alone at the first question gives an empty one without the second.
    ///
    /// `check` refuses what would not do, before it is typed again. Throws `entriesDiffer` when the two
    /// differ, what `check` throws, and what keeps the questions from being answered.
    package func askTwice(
        _ question: String,
        again: String,
        flag: String,
        check: (borrowing SecretBytes) throws(ConsoleError) -> Void = { _ in }
    ) throws(ConsoleError) -> SecretBytes {
        let first = try askHidden(question, flag: flag)
        guard first.count > 0 else { return first }
        try check(first)
        let second = try askHidden(again, flag: flag)
        let isSame = first.withBytes { one in
            second.withBytes { other in Self.areEqual(one, other) }
        }
        guard isSame else { throw .entriesDiffer }
        return first
    }

    /// Waits for a pasted code or chat text; nil when Enter alone was pressed.
    ///
    /// Waits as long as it takes, because the other person has to answer first, unless `seconds` says
    /// otherwise.
    package func askCode(
        _ question: String,
        seconds: Int? = nil,
        flag: String
    ) throws(ConsoleError) -> [UInt8]? {
        let asked = Question(text: "\(question) ", kind: .code, limit: OwnFile.textLimit, seconds: seconds)
        let answer = try secret(asked, flag: flag).withBytes { $0.copied() }
        return answer.allSatisfy { $0 <= 0x20 } ? nil : answer
    }

    /// Asks for a text that is shown while it is typed and may be pasted with several lines: a message.
    ///
    /// Waits as long as it takes.
    package func askText(_ question: String, flag: String) throws(ConsoleError) -> SecretBytes {
        try secret(
            Question(text: "\(question) ", kind: .code, limit: OwnFile.textLimit, seconds: nil),
            flag: flag
        )
    }

    /// Asks for words of a list, which are shown while they are typed; a blank completes the word before it.
    ///
    /// Waits as long as it takes. `completing` gives what is missing of a word that was begun.
    package func askWords(
        _ question: String,
        limit: Int,
        flag: String,
        completing: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) throws(ConsoleError) -> SecretBytes {
        var asked = Question(text: "\(question): ", kind: .code, limit: limit, seconds: nil)
        asked.flushesTypeAhead = true
        asked.completing = completing
        return try secret(asked, flag: flag)
    }

    /// Waits for Enter.
    package func pause(_ question: String, flag: String) throws(ConsoleError) {
        _ = try text(Question(text: "\(question) ", kind: .line), flag: flag)
    }

    /// Shows text that stays, on the terminal and nowhere else: a recovery code.
    package func show(
        _ text: borrowing some ByteSource & ~Copyable,
        flag: String
    ) throws(ConsoleError) {
        let file = try openOrExplain(flag)
        try file.use { (descriptor) throws(ConsoleError) in try descriptor.write(text) }
    }

    private func hidden(
        _ question: String,
        _ kind: Question.Kind,
        limit: Int,
        flag: String
    ) throws(ConsoleError) -> SecretBytes {
        let asked = Question(text: "\(question): ", kind: kind, limit: limit, flushesTypeAhead: true)
        return try secret(asked, flag: flag)
    }

    private func text(_ question: Question, flag: String) throws(ConsoleError) -> String {
        let answer = try secret(question, flag: flag).withBytes { $0.copied() }
        guard let shown = String(validating: answer, as: UTF8.self) else { throw .notText }
        let text = Display.withoutIsolates(shown)
        let start = text.drop { $0.isWhitespace }
        return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
    }

    private func secret(_ question: Question, flag: String) throws(ConsoleError) -> SecretBytes {
        _ = try openOrExplain(flag)
        return try LineEditor.ask(question, device: device, in: console)
    }

    private func openOrExplain(_ flag: String) throws(ConsoleError) -> OpenFile {
        guard isAllowed, let file = try? OpenFile(device, O_RDWR) else { throw .inputNeeded(flag: flag) }
        return file
    }

    /// Without an early end, so that the time says nothing.
    private static func areEqual(_ one: RawSpan, _ other: RawSpan) -> Bool {
        guard one.byteCount == other.byteCount else { return false }
        var difference: UInt8 = 0
        for index in 0..<one.byteCount {
            difference |= one.byte(at: index) ^ other.byte(at: index)
        }
        return difference == 0
    }
}
