internal import CLinux
internal import Glibc

/// The descriptors and the signal handling of a program that posix_spawn(3) starts.
///
/// By default the program inherits every descriptor that is not closed on exec, and the signal handling of this process.
@safe package final class SpawnPlan {
    /// An array of strings that end in a zero byte, with NULL as its last element.
    package typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    private var actions = unsafe posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private var flags: Int32 = 0
    private var usual = sigset_t()

    package init() {
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        unsafe sigemptyset(&usual)
        // This process ignores SIGXFSZ, for its own files.
        reset(SIGXFSZ)
    }

    deinit {
        unsafe posix_spawnattr_destroy(&attributes)
        unsafe posix_spawn_file_actions_destroy(&actions)
    }

    /// Gives the program a descriptor of this process, under a number.
    package func give(_ descriptor: Int32, as number: Int32) {
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    /// Connects a number to `/dev/null`.
    package func giveNothing(as number: Int32) {
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }

    /// Closes all descriptors from a number on.
    package func close(from number: Int32) {
        unsafe hsip_spawn_close_from(&actions, number)
    }

    /// Restores the default handling of a signal, even if this process ignores it.
    package func reset(_ signal: Int32) {
        unsafe sigaddset(&usual, signal)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        flags |= POSIX_SPAWN_SETSIGDEF
    }

    /// Restores the default handling of all signals, and blocks no signal.
    package func resetSignals() {
        unsafe sigfillset(&usual)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        flags |= POSIX_SPAWN_SETSIGDEF
        blockNoSignals()
    }

    /// Blocks no signal; the starting thread may block signals, as threads of Swift's tasks do.
    package func blockNoSignals() {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        flags |= POSIX_SPAWN_SETSIGMASK
    }

    /// Starts a process group with the program, so that it and its children can be ended at once.
    package func leadGroup() {
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        flags |= POSIX_SPAWN_SETPGROUP
    }

    /// Starts a session with the program: it has no terminal, and its children join one process group, which can be ended
    /// at once.
    package func leadSession() { flags |= Int32(hsip_spawn_session()) }

    /// Starts the program.
    ///
    /// - Returns: The process ID, which the caller waits for.
    package func start(_ path: String, _ words: Texts, _ variables: Texts) throws(ProgramError) -> Int32 {
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
        guard code == 0 else { throw ProgramError(errno: code) }
        return process
    }

    /// Starts the program `words[0]` with `words` as its `argv` and `variables` as `NAME=value`.
    package func start(_ words: [String], _ variables: [String]) throws(ProgramError) -> Int32 {
        try unsafe CStrings.with(words) { (texts) throws(ProgramError) in
            try unsafe CStrings.with(variables) { (variables) throws(ProgramError) in
                try unsafe start(words.first ?? "", texts, variables)
            }
        }
    }
}

/// Makes NULL-terminated lists of C strings, as posix_spawn(3) needs them.
package enum CStrings {
    package static func with<R, E: Error>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws(E) -> R
    ) throws(E) -> R {
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: strings.count + 1
        )
        defer { unsafe list.deallocate() }
        for (index, string) in strings.enumerated() {
            unsafe (list + index).initialize(to: strdup(string))
        }
        unsafe (list + strings.count).initialize(to: nil)
        defer {
            for index in strings.indices {
                unsafe free(list[index])
            }
        }
        return try unsafe body(list)
    }
}
