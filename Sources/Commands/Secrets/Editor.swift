internal import CLinux
internal import Glibc
internal import Presentation
internal import System
internal import VaultLifecycle

/// The editor of the person: `$VISUAL`, `$EDITOR`, or one that is usually there.
struct Editor {
    /// Editors that leave copies of what they edit in other folders unless they are told not to.
    private static let careful = " -n -i NONE -c 'silent! set nobackup nowritebackup noundofile'"

    /// As the shell reads it: words may stand after the program.
    private let words: String

    /// Chooses the editor; `hasTerminal` says whether a default editor would have a terminal.
    ///
    /// Throws `inputNeeded` where none is named and there is no terminal, `editorFailed` where there is no
    /// editor.
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

    /// Runs it on a file until it ends.
    ///
    /// - Throws: `editorFailed` when it says that it failed, or was killed; `interrupted` by a signal that would end this
    ///   program, once the editor has ended.
    func edit(_ file: EditedFile, _ context: Context) throws {
        let signals = try SignalWatch()
        defer { signals.stop() }
        let plan = SpawnPlan()
        // Where output goes elsewhere, what an editor paints is not meant for it.
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

    /// Waits; a signal that is not a key of the terminal, which the editor hears itself, ends the editor first.
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
