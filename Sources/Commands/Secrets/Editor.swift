internal import CLinux
internal import Glibc
internal import Presentation
internal import System
internal import VaultLifecycle

/// The person's editor: `$VISUAL`, `$EDITOR`, or a usual editor that is installed.
struct Editor {
    /// Options for vim and neovim, which otherwise leave copies of the text in other folders.
    private static let careful = " -n -i NONE -c 'silent! set nobackup nowritebackup noundofile'"

    /// The command line for the shell: arguments may follow the program.
    private let words: String

    /// Chooses the editor; `hasTerminal` says whether a default editor would have a terminal.
    ///
    /// Throws `inputNeeded` if no editor is named and no terminal is available, and `editorFailed` if no editor is
    /// found.
    init(_ environment: Environment, hasTerminal: Bool) throws(Failure) {
        let named = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self)
            .first { $0.contains { !$0.isWhitespace } }
        guard named != nil || hasTerminal else {
            throw Failure(
                .inputNeeded,
                "an editor needs a terminal",
                hint: "EDITOR=PROGRAM hsip secret edit NAME  with an editor that needs no terminal"
            )
        }
        let usual = ["editor", "nano", "vim", "vi"].first { ChildProcess.find($0, in: environment) != nil }
        guard let words = named ?? usual else {
            throw Failure(.editorFailed, "no editor found", hint: "EDITOR=nano hsip secret edit NAME")
        }
        self.words = words + (Self.isVim(words, environment) ? Self.careful : "")
    }

    /// Runs the editor on a file until it ends.
    ///
    /// - Throws: `editorFailed` if the editor failed or was killed; `interrupted` for a signal that would end this
    ///   program, after the editor has ended.
    func edit(_ file: EditedFile, _ context: Context) throws {
        let signals = try SignalWatch()
        defer { signals.stop() }
        let plan = SpawnPlan()
        // If stdout is not a terminal, the editor must not paint there.
        if !context.console.outputIsTerminal { plan.give(STDERR_FILENO, as: STDOUT_FILENO) }
        plan.close(from: 3)
        plan.resetSignals()
        let line = ["/bin/sh", "-c", "exec \(words) \"$@\"", "sh", file.path]
        let process = try unsafe CStrings.with(line) { texts throws(ProgramError) in
            guard let variables = unsafe hsip_environment() else { throw .io(code: ENOMEM) }
            return try unsafe plan.start("/bin/sh", texts, variables)
        }
        let (status, signal) = wait(for: process, signals)
        if let signal { throw ConsoleError.interrupted(signal: signal) }
        guard status == 0 else { throw Self.failure(status) }
    }

    /// Waits for the editor; ends it first on a signal, except SIGINT and SIGQUIT, which the terminal sends it too.
    private func wait(for process: pid_t, _ signals: SignalWatch) -> (status: Int32, signal: Int32?) {
        let ended = hsip_process_open(process)
        defer { if ended >= 0 { close(ended) } }
        var (status, caught) = (Int32(0), Int32?.none)
        while true {
            var requests = [
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&requests, 2, ended >= 0 ? -1 : 100)
            if let signal = signals.caught, signal != SIGINT, signal != SIGQUIT {
                caught = signal
                kill(process, SIGTERM)
            }
            let found = unsafe waitpid(process, &status, WNOHANG)
            if found == process || found < 0 && errno != EINTR { return (status, caught) }
        }
    }

    private static func failure(_ status: Int32) -> Failure {
        let signal = status & 0x7F
        let code = status >> 8 & 0xFF
        let what =
            signal != 0
            ? "was ended by signal \(signal)" : code == 127 ? "was not found" : "ended with \(code)"
        return Failure(
            .editorFailed,
            "the editor \(what); nothing was changed",
            hint: "EDITOR=nano hsip secret edit NAME"
        )
    }

    /// Whether the first word is vim or neovim, also through links.
    private static func isVim(_ words: String, _ environment: Environment) -> Bool {
        guard let word = words.split(whereSeparator: \.isWhitespace).first.map(String.init) else {
            return false
        }
        let path = word.contains("/") ? word : ChildProcess.find(word, in: environment) ?? word
        let last = (Path.resolved(path) ?? path).split(separator: "/").last ?? ""
        return last.hasPrefix("vim") || last.hasPrefix("nvim")
    }
}
