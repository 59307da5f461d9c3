internal import CLinux
internal import Glibc
package import Presentation
package import System

/// A program that runs beside this one, which passes signals on to it and waits for its end.
package struct RunningProgram {
    let number: pid_t

    init(number: pid_t) { self.number = number }

    /// Starts a command, which inherits the streams, the folder and the present environment.
    package init(_ words: [String], _ environment: Environment) throws(Failure) {
        let path = try Self.find(words.first ?? "", environment)
        let plan = SpawnPlan()
        plan.reset(SIGPIPE)
        plan.blockNoSignals()
        do throws(ProgramError) {
            number = try unsafe CStrings.with(words) { (texts) throws(ProgramError) in
                guard let variables = unsafe hsip_environment() else { throw .io(code: ENOMEM) }
                return try unsafe plan.start(path, texts, variables)
            }
        } catch {
            throw StartedProgram.failure(error)
        }
    }

    /// Finds the file of a command by its first word.
    ///
    /// - Throws: a failure of 127 without such a program; of 126 for a file that cannot be executed.
    @discardableResult
    package static func find(_ word: String, _ environment: Environment) throws(Failure) -> String {
        try FoundProgram(word, environment).path
    }

    /// The failure of a command whose program did not run: 126 and 127 are about the program, everything else is 125.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - program: The program as a terminal shows it.
    ///   - command: The words before a program, for the hint.
    /// - Returns: The failure; if it is about the program, it names the program.
    package static func failure(_ error: any Error, _ program: String, after command: String) -> Failure {
        var failure = Failure(error)
        switch failure.exitCode {
        case 126: failure.message = "\(program): \(failure.message)"
        case 127:
            failure.message = "\(program): \(failure.message)"
            failure.hint = "\(command) /path/to/program"
        default: failure.exitCode = RunWords.failed
        }
        return failure
    }

    /// Waits for the program's end, and passes signals on to it.
    ///
    /// - Parameters:
    ///   - signals: The watch that receives the signals.
    ///   - adopting: Whether processes that the program started and left become children of this process.
    /// - Returns: The program's exit code, or 128 plus the signal that ended it.
    package func end(passing signals: SignalWatch, adopting: Bool = false) -> Int32 {
        let life = hsip_process_open(number)
        defer { if life >= 0 { close(life) } }
        while true {
            if let signal = signals.caught { pass(signal) }
            if let status = status(WNOHANG) { return status }
            var requests = [
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: life, events: Int16(POLLIN), revents: 0),
            ]
            if adopting { hsip_take_other_ends(number) }
            // An old kernel does not report the program's end, so check again after a time.
            _ = unsafe poll(&requests, 2, life < 0 ? 100 : adopting ? 1_000 : -1)
        }
    }

    /// The program's exit code, or 128 plus the signal that ended it; nil while it runs.
    func status(_ options: Int32) -> Int32? {
        var status: Int32 = 0
        guard unsafe waitpid(number, &status, options) == number else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Passes a signal to the program, unless it comes from the keyboard: the terminal sends that to the program too.
    func pass(_ signal: Int32) {
        let isKey = signal == SIGINT || signal == SIGQUIT
        if !isKey || !Self.isAtKeyboard { kill(number, signal) }
    }

    /// Whether a terminal sends the signals of its keys to this process group.
    private static var isAtKeyboard: Bool {
        let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
