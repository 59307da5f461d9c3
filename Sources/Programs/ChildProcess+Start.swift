internal import CLinux
internal import Glibc

extension ChildProcess {
    /// Starts a program with no descriptor but the three standard ones, no environment but what is named, and the
    /// ordinary answers to signals; what it says on stderr is dropped.
    ///
    /// - Parameters:
    ///   - environment: `NAME=value` each.
    ///   - output: nil for nowhere.
    ///   - leadsGroup: the program and what it starts are a process group of their own, so that all of them can
    ///     be ended at once.
    /// - Returns: its number, which the caller waits for.
    package static func start(
        _ path: String,
        _ arguments: [String],
        _ environment: [String],
        input: Int32,
        output: Int32?,
        leadsGroup: Bool = false
    ) throws(ProgramError) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe hsip_spawn_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var reset = sigset_t()
        unsafe sigfillset(&reset)
        unsafe posix_spawnattr_setsigdefault(&attributes, &reset)
        unsafe sigemptyset(&reset)
        unsafe posix_spawnattr_setsigmask(&attributes, &reset)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group)
        )

        var process: pid_t = 0
        let code = unsafe CStrings.with([path] + arguments) { words in
            unsafe CStrings.with(environment) { variables in
                unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
            }
        }
        guard code == 0 else { throw ProgramError(errno: code) }
        return process
    }
}
