internal import CLinux
internal import Console
internal import Glibc
internal import Programs
internal import VaultCrypto

/// A program with its arguments and variables, to be started in place of this one or beside it.
///
/// It inherits what this one got: descriptors, folder, limits, signals that were ignored. The variables go to the
/// system straight from locked memory.
struct StartedProgram {
    let path: String
    let arguments: [String]
    /// Each ends in a zero byte.
    let variables: [Secret]

    /// Takes the place of this program.
    ///
    /// - Returns: only when that failed.
    func replaceThis() -> Failure {
        // Output ignores it for this program's own writing.
        signal(SIGPIPE, SIG_DFL)
        let code = unsafe withPointers { words, variables in
            _ = unsafe execve(path, words, variables)
            return errno
        }
        signal(SIGPIPE, SIG_IGN)
        return Self.failure(code)
    }

    /// Starts it beside this program with other ends of output.
    func start(output: Int32, error: Int32) throws(Failure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        unsafe sigaddset(&usual, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let code = unsafe withPointers { words, variables in
            unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
        }
        guard code == 0 else { throw Self.failure(code) }
        return process
    }

    private func withPointers(
        _ body: (
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        ) -> Int32
    ) -> Int32 {
        // The secrets stay where they are, and alive, until `body` has returned.
        var list: [UnsafeMutablePointer<CChar>?] = unsafe variables.map { secret in
            unsafe secret.withBytes { span in
                unsafe span.withUnsafeBytes { bytes in
                    unsafe UnsafeMutablePointer(
                        mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                    )
                }
            }
        }
        unsafe list.append(nil)
        return withExtendedLifetime(variables) {
            unsafe list.withUnsafeMutableBufferPointer { list in
                unsafe CStrings.with(arguments) { words in
                    guard let start = list.baseAddress else { return EFAULT }
                    return unsafe body(words, start)
                }
            }
        }
    }

    private static func failure(_ code: Int32) -> Failure {
        switch code {
        case ENOENT: FoundProgram.missing
        case E2BIG:
            Failure(
                status: Run.failed,
                code: "tooLarge",
                message: "the variables are more than the system gives to a program",
                hint: "--fd NAME=REFERENCE"
            )
        default: FoundProgram.notExecutable
        }
    }
}
