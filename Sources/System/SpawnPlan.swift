internal import CLinux
internal import Glibc

/// How a program is started beside this one: the descriptors that it gets, and how it answers to signals
/// (posix_spawn(3)).
///
/// Without a word it gets all descriptors that are not closed on exec, and the signals as they are here.
@safe package final class SpawnPlan {
    /// Texts that end in zero bytes, the last of them followed by NULL.
    package typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    private var actions = unsafe posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private var flags: Int32 = 0
    private var usual = sigset_t()

    package init() {
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        unsafe sigemptyset(&usual)
        // This program ignores it for files of its own.
        reset(SIGXFSZ)
    }

    deinit {
        unsafe posix_spawnattr_destroy(&attributes)
        unsafe posix_spawn_file_actions_destroy(&actions)
    }

    /// Gives it a descriptor of this process under a number.
    package func give(_ descriptor: Int32, as number: Int32) {
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    /// Lets a number lead nowhere.
    package func giveNothing(as number: Int32) {
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }

    /// Closes all descriptors from a number on.
    package func close(from number: Int32) {
        unsafe hsip_spawn_close_from(&actions, number)
    }

    /// Lets it answer to a signal in the ordinary way, also where this process ignores it.
    package func reset(_ signal: Int32) {
        unsafe sigaddset(&usual, signal)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        flags |= POSIX_SPAWN_SETSIGDEF
    }

    /// Lets it answer to all signals in the ordinary way; none is blocked.
    package func resetSignals() {
        unsafe sigfillset(&usual)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        flags |= POSIX_SPAWN_SETSIGDEF
        blockNoSignals()
    }

    /// Lets all signals reach it: the thread that starts it may block them, as threads of Swift's tasks do.
    package func blockNoSignals() {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        flags |= POSIX_SPAWN_SETSIGMASK
    }

    /// Makes it, and what it starts, a process group of its own, so that all of them can be ended at once.
    package func leadGroup() {
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        flags |= POSIX_SPAWN_SETPGROUP
    }

    /// Makes it the leader of a session of its own: it has no terminal to ask on, and all that it starts is one process
    /// group, which can be ended at once.
    package func leadSession() { flags |= Int32(hsip_spawn_session()) }

    /// Starts it.
    ///
    /// - Returns: its number, which the caller waits for.
    package func start(_ path: String, _ words: Texts, _ variables: Texts) throws(ProgramError) -> Int32 {
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
        guard code == 0 else { throw ProgramError(errno: code) }
        return process
    }

    /// The same with words, the program's own name first, and variables `NAME=value`.
    package func start(_ words: [String], _ variables: [String]) throws(ProgramError) -> Int32 {
        try unsafe CStrings.with(words) { (texts) throws(ProgramError) in
            try unsafe CStrings.with(variables) { (variables) throws(ProgramError) in
                try unsafe start(words.first ?? "", texts, variables)
            }
        }
    }
}

/// A list of C strings that ends in NULL, as posix_spawn(3) wants its arguments.
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
