internal import Glibc
internal import System
internal import Text
internal import VaultCrypto

/// Asks one question: shows it, reads the keys, and erases it again.
///
/// The typed line is always drawn on a single row, so that one row has to be erased, whatever was pasted.
struct LineEditor: ~Copyable {
    private let question: Question
    private let terminal: RawTerminal
    private let console: ConsoleEnvironment
    private let display: Display
    private var decoder = KeyDecoder()
    private var answer: SecretBuffer

    /// Asks, and restores the terminal in every case.
    static func ask(
        _ question: Question,
        device: String,
        in console: ConsoleEnvironment
    ) throws(ConsoleError) -> SecretBytes {
        let terminal = try RawTerminal(
            device: device,
            hidden: question.isHidden,
            flush: question.flushesTypeAhead,
            isDumb: console.isDumb
        )
        do throws(ConsoleError) {
            var editor = try LineEditor(question, terminal, console)
            try editor.run()
            terminal.close(discardsKeys: false)
            return try editor.answer.finish()
        } catch {
            terminal.close(discardsKeys: true)
            throw error
        }
    }

    private init(
        _ question: Question,
        _ terminal: RawTerminal,
        _ console: ConsoleEnvironment
    ) throws(ConsoleError) {
        self.question = question
        self.terminal = terminal
        self.console = console
        display = Display(isUTF8: console.isUTF8)
        answer = try SecretBuffer(limit: question.limit)
    }

    private mutating func run() throws(ConsoleError) {
        let (head, prompt) = split()
        terminal.write(head)
        draw(prompt)
        defer { erase(rowsAbove: rows(of: head)) }
        var isDone = false
        while !isDone {
            let terminal = terminal
            isDone = try terminal.keys(within: question.seconds) { span, count throws(ConsoleError) in
                try take(span, count)
            }
            if !isDone, !question.isHidden { draw(prompt) }
        }
    }

    /// Processes keys; returns true when the answer is complete.
    private mutating func take(_ span: RawSpan, _ count: Int) throws(ConsoleError) -> Bool {
        // A single Ctrl-C interrupts even inside a paste without an end.
        if count == 1, span.byte(at: 0) == 0x03 { throw .interrupted(signal: SIGINT) }
        var isDone = false
        for index in 0..<count where !isDone {
            let isLast = index == count - 1
            var keys = decoder
            try keys.feed(span.byte(at: index)) { (key: Key) throws(ConsoleError) in
                isDone = try apply(key, isLast: isLast)
            }
            decoder = keys
        }
        return isDone
    }

    private mutating func apply(_ key: Key, isLast: Bool) throws(ConsoleError) -> Bool {
        switch key {
        case .byte(let byte):
            if byte == 0x20 { try completeWord() }
            try answer.append(byte)
        case .backspace: answer.removeLastScalar()
        case .clear: answer.clear()
        case .interrupt: throw .interrupted(signal: SIGINT)
        case .nothing: break
        case .pastedLine: try pastedLine()
        case .end:
            guard answer.count > 0 else { throw .refused }
            // Ctrl-D ends an answer of several lines.
            return question.kind == .hiddenText
        case .enter:
            // A dumb terminal sends whole lines, and no end mark.
            if question.kind == .hiddenText, !console.isDumb {
                try answer.append(0x0A)
                return false
            }
            // In a terminal without bracketed paste, a line feed that more keys follow immediately was pasted.
            guard question.kind == .code, !isLast || terminal.hasMore() else { return true }
            try pastedLine()
        }
        return false
    }

    /// Completes the current word.
    private mutating func completeWord() throws(ConsoleError) {
        guard let completing = question.completing else { return }
        var start = answer.count
        while start > 0, answer.byte(at: start - 1) > 0x20 { start -= 1 }
        var word = (start..<answer.count).map { answer.byte(at: $0) }
        defer { word.wipe() }
        var missing = completing(word)
        defer { missing.wipe() }
        for byte in missing { try answer.append(byte) }
    }

    private mutating func pastedLine() throws(ConsoleError) {
        switch question.kind {
        case .line: try answer.append(0x20)
        case .code, .hiddenText: try answer.append(0x0A)
        case .hiddenLine: break
        }
    }

    /// Returns the lines before the typed line, and that line; a long question gets a line of its own.
    private func split() -> (head: String, prompt: String) {
        var lines = question.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        var prompt = lines.popLast() ?? ""
        if !console.isDumb, TextWidth.of(prompt) > columns - 12 {
            lines.append(prompt)
            prompt = "> "
        }
        lines = lines.flatMap { LineWrap.lines($0, to: columns) }
        return (lines.map { $0 + "\n" }.joined(), prompt)
    }

    private var columns: Int { terminal.window?.columns ?? console.window.columns }

    private func rows(of head: String) -> Int {
        let width = max(1, columns)
        return head.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            max(1, (TextWidth.of(String(line)) + width - 1) / width)
        }.reduce(0, +)
    }

    private borrowing func draw(_ prompt: String) {
        guard !console.isDumb else {
            return answer.count == 0 ? terminal.write(prompt) : ()
        }
        let room = columns - TextWidth.of(prompt) - 1
        guard !question.showsSecret else { return draw(prompt, letters: max(8, room)) }
        let typed = question.isHidden ? "" : display.typed(visible(), columns: max(8, room))
        terminal.write("\r\(prompt)\(typed)\u{1B}[K")
    }

    /// Draws the end of a secret of letters and blanks, which leaves locked memory only for the terminal.
    private borrowing func draw(_ prompt: String, letters room: Int) {
        let start = max(0, answer.count - room)
        guard var line = try? SecretBuffer(limit: prompt.utf8.count + room + 8) else { return }
        do throws(ProgramError) {
            for byte in "\r\(prompt)".utf8 { try line.append(byte) }
            for index in start..<answer.count {
                let byte = answer.byte(at: index)
                // A line feed separates words like a blank; words have no letters outside ASCII.
                let shown: UInt8 = byte <= 0x20 ? 0x20 : byte < 0x7F ? byte : 0x3F
                try line.append(shown)
            }
            for byte in "\u{1B}[K".utf8 { try line.append(byte) }
            terminal.write(try line.finish())
        } catch {
            return
        }
    }

    private borrowing func visible() -> String {
        var bytes: [UInt8] = []
        // This many bytes fill any row.
        for index in max(0, answer.count - 4_096)..<answer.count {
            bytes.append(answer.byte(at: index))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func erase(rowsAbove: Int) {
        guard !console.isDumb else {
            return question.isHidden ? terminal.write("\n") : ()
        }
        terminal.write("\r\u{1B}[K" + String(repeating: "\u{1B}[A\u{1B}[K", count: rowsAbove))
    }
}
