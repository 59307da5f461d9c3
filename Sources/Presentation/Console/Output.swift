// The code that prints makes the values for --json, so an importer of this module needs that one, too.
internal import Glibc
internal import Synchronization
package import System
package import Text
package import VaultCrypto

/// The two output streams of the program: data on stdout, messages on stderr.
///
/// With `--json`, stdout gets one object after success or failure, and stderr stays empty. Nothing is buffered, so a
/// full disk or a closed pipe is detected at the line that causes it.
package final class Output: Sendable {
    package let command: String
    package let mode: Mode
    package let console: ConsoleEnvironment
    package let display: Display
    /// The colours of stdout.
    package let style: Style
    private let talkStyle: Style
    private let out: Descriptor
    private let err: Descriptor
    private let warnings = Mutex<[Warning]>([])

    /// The amount and form of the output.
    package struct Mode: OptionSet, Sendable {
        package let rawValue: Int
        package static let json = Mode(rawValue: 1)
        package static let quiet = Mode(rawValue: 2)
        package static let verbose = Mode(rawValue: 4)
        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    package init(
        command: String,
        mode: Mode = [],
        color: ColorChoice = .auto,
        console: ConsoleEnvironment,
        out: Descriptor = .output,
        err: Descriptor = .error
    ) {
        self.command = command
        self.mode = mode
        self.console = console
        display = Display(isUTF8: console.isUTF8)
        let color = mode.contains(.json) ? .never : color
        style = Style(color, isTerminal: console.outputIsTerminal, in: console)
        talkStyle = Style(color, isTerminal: console.errorIsTerminal, in: console)
        self.out = out
        self.err = err
        // A closed pipe is then an error of `write`, and does not end the program during an operation.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes a line of data to stdout; with `--json` nothing, since `succeed` writes the data.
    package func line(_ text: String) throws(ConsoleError) {
        try data(Array("\(text)\n".utf8))
    }

    /// Writes a sentence to stdout like `line`, but wrapped between words on a terminal.
    package func sentence(_ text: String, indent: Int = 0) throws(ConsoleError) {
        for text in console.outputIsTerminal ? wrapped(text, indent) : [text] { try line(text) }
    }

    /// Writes data to stdout unchanged.
    package func data(_ bytes: borrowing some ByteSource & ~Copyable) throws(ConsoleError) {
        guard !mode.contains(.json) else { return }
        try out.write(bytes)
    }

    /// Writes a table: aligned on a terminal, tab-separated otherwise.
    package func table(_ table: Table, accessible: Bool = false) throws(ConsoleError) {
        guard !mode.contains(.json) else { return }
        if !console.outputIsTerminal {
            try out.write(table.separated())
        } else if accessible {
            try out.write(table.listed(style: style))
        } else {
            let width = console.window.columns
            try out.write(table.rendered(width: width, style: style, isUTF8: console.isUTF8))
        }
    }

    /// Prints a warning: a line on stderr, or an element of `warnings` in the JSON.
    package func warn(_ warning: Warning) {
        warnings.withLock { $0.append(warning) }
        talk("warning", warning.message, .soon)
        if let text = warning.hint { hint(text) }
    }

    /// Prints a note that scripts get too: a line on stderr, or an element of `warnings` in the JSON.
    package func note(_ note: Warning) {
        warnings.withLock { $0.append(note) }
        talk("note", note.message, .plain)
        if let text = note.hint { hint(text) }
    }

    /// Prints a note for people only.
    package func note(_ text: String) { talk("note", text, .plain) }

    /// Prints one command that helps.
    package func hint(_ text: String) { talk("hint", text, .plain) }

    /// Prints a message for people that is neither data nor a note; with `--quiet` nothing.
    package func say(_ text: String) {
        say(text, indent: 0)
    }

    private func say(_ text: String, indent: Int) {
        guard mode.isDisjoint(with: [.json, .quiet]) else { return }
        tell(text, indent: indent)
    }

    /// Writes a text for people to stderr, wrapped between words on a terminal.
    private func tell(_ text: String, indent: Int) {
        let lines = console.errorIsTerminal ? wrapped(text, indent) : [text]
        try? err.write(lines.joined(separator: "\n") + "\n")
    }

    private func wrapped(_ text: String, _ indent: Int) -> [String] {
        LineWrap.lines(text, to: console.window.columns, indent: indent)
    }

    /// Prints a step with `--verbose`; steps never contain values.
    package func step(_ text: String) {
        guard mode.contains(.verbose) else { return }
        say("hsip: \(text)")
    }

    /// Shows a line («deriving key…») on a terminal while `body` runs, then erases it.
    package func working<R: ~Copyable, E: Error>(_ text: String, _ body: () throws(E) -> R) throws(E) -> R {
        let shows = showsWork
        if shows { try? err.write(text) }
        defer { if shows { try? err.write("\r\u{1B}[K") } }
        return try body()
    }

    /// Replaces the progress line on a terminal; nil erases it.
    package func progress(_ text: String?) {
        if showsWork { try? err.write("\r\u{1B}[K\(text ?? "")") }
    }

    private var showsWork: Bool {
        console.errorIsTerminal && !console.isDumb && mode.isDisjoint(with: [.json, .quiet])
    }

    /// Shows a line while an asynchronous `body` runs, then erases it.
    package func working<R>(
        _ text: String,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> R
    ) async throws -> R {
        let shows = showsWork
        if shows { try? err.write(text) }
        defer { if shows { try? err.write("\r\u{1B}[K") } }
        return try await body()
    }

    /// Ends a command successfully: prints the envelope with `--json`, otherwise nothing.
    package func succeed(_ data: JSONValue = .object([])) throws(ConsoleError) {
        guard mode.contains(.json) else { return }
        try envelope(isOK: true, JSONMember("data", data))
    }

    /// Ends a failed command and returns its exit code.
    ///
    /// It prints the envelope with `--json`, otherwise the lines `hsip: error:` and `hsip: hint:` on stderr, with
    /// explanations between them and a code to send after them. A cancellation prints its message alone, without
    /// `hsip: error:`. A closed pipe gets no output.
    package func fail(_ failure: Failure) -> Int32 {
        guard failure.exitCode != 128 + SIGPIPE else { return failure.exitCode }
        guard mode.contains(.json) else {
            let title = failure.isCancellation ? "" : "hsip: \(talkStyle.paint("error:", .danger)) "
            tell("\(title)\(failure.message)", indent: 2)
            for line in failure.lines { tell("  \(line)", indent: 2) }
            if let text = failure.hint { hint(text) }
            if let text = failure.toSend { try? err.write("\(text)\n") }
            return failure.exitCode
        }
        let error = Envelope.error(
            code: failure.name,
            exit: failure.exitCode,
            message: failure.message,
            hint: failure.hint,
            details: failure.details
        )
        try? envelope(isOK: false, error)
        return failure.exitCode
    }

    private func talk(_ kind: String, _ text: String, _ tone: Tone) {
        say("hsip: \(talkStyle.paint("\(kind):", tone)) \(text)", indent: 2)
    }

    private func envelope(isOK: Bool, _ content: JSONMember) throws(ConsoleError) {
        let told = warnings.withLock { $0 }.map { Envelope.warning($0.code, $0.fields) }
        let whole = Envelope.of(command, isOK: isOK, content, warnings: told)
        try out.write(try JSONWriter.bytes(whole))
        try out.write([0x0A])
    }
}
