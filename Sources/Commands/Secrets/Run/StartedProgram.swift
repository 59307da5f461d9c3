internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A program with its arguments and variables, to start instead of this one or beside it.
///
/// The program inherits this one's descriptors, folder, limits and ignored signals. It does not leave a core dump,
/// which would contain the secrets. The variables go to the system directly from locked memory.
struct StartedProgram {
    let path: String
    let arguments: [String]
    /// The variables; each ends with a zero byte.
    let variables: [Secret]

    /// Replaces this process with the program.
    ///
    /// - Returns: The failure; returns only if the program cannot be started.
    func replaceThis() -> Failure {
        // This program ignores these signals for its own output.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_DFL) }
        // Threads of Swift's tasks block them.
        var (none, former) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        let code = unsafe withPointers { words, variables in
            _ = unsafe execve(path, words, variables)
            return errno
        }
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        return Self.failure(ProgramError(errno: code))
    }

    /// Starts the program beside this one, with these descriptors as its stdout and stderr.
    func start(output: Int32, error: Int32) throws(Failure) -> pid_t {
        let plan = SpawnPlan()
        plan.give(output, as: STDOUT_FILENO)
        plan.give(error, as: STDERR_FILENO)
        plan.reset(SIGPIPE)
        plan.blockNoSignals()
        do throws(ProgramError) {
            return try unsafe withPointers { (words, variables) throws(ProgramError) in
                try unsafe plan.start(path, words, variables)
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private func withPointers<R, E: Error>(
        _ body: (SpawnPlan.Texts, SpawnPlan.Texts) throws(E) -> R
    ) throws(E) -> R {
        let list = SpawnPlan.Texts.allocate(capacity: variables.count + 1)
        defer { unsafe list.deallocate() }
        // The secrets stay alive at the same address until `body` has returned.
        defer { withExtendedLifetime(variables) {} }
        for (index, secret) in variables.enumerated() {
            let text = unsafe secret.withBytes { span in
                unsafe span.withUnsafeBytes { bytes in
                    unsafe UnsafeMutablePointer(
                        mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                    )
                }
            }
            unsafe (list + index).initialize(to: text)
        }
        unsafe (list + variables.count).initialize(to: nil)
        return try unsafe CStrings.with(arguments) { (words) throws(E) in try unsafe body(words, list) }
    }

    static func failure(_ error: ProgramError) -> Failure {
        switch error {
        case .noSuchFile: FoundProgram.missing
        case .io(code: E2BIG):
            Failure(
                .tooLarge,
                "the variables are longer than the system allows",
                hint: "--fd NAME=REFERENCE",
                exitCode: RunWords.failed
            )
        default: FoundProgram.notExecutable
        }
    }
}

/// A program to start, found as a shell does (POSIX XCU 2.9.1.1).
struct FoundProgram {
    let path: String

    /// Looks a word up in `$PATH`, unless it has a slash; relative folders in `$PATH` are ignored.
    ///
    /// - Throws: a failure of 127 without such a program; of 126 for a file that cannot be executed.
    init(_ word: String, _ environment: Environment) throws(Failure) {
        guard !word.isEmpty, !word.utf8.contains(0) else { throw Self.missing }
        if word.contains("/") {
            guard unsafe access(word, F_OK) == 0 else { throw Self.missing }
            guard Self.isExecutable(word) else { throw Self.notExecutable }
            path = word
            return
        }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let places = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(word)" }
        if let found = places.first(where: Self.isExecutable) {
            path = found
            return
        }
        throw places.contains { unsafe access($0, F_OK) == 0 } ? Self.notExecutable : Self.missing
    }

    private static func isExecutable(_ path: String) -> Bool {
        unsafe Path.kind(path) == .file && access(path, X_OK) == 0
    }

    static let missing = Failure(.programNotFound, "program not found")

    static let notExecutable = Failure(
        .programNotExecutable,
        "the program cannot be executed",
        hint: "chmod u+x PROGRAM"
    )
}
