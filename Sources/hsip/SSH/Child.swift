internal import CLinux
internal import Console
internal import Glibc
internal import VaultCrypto

/// A program that gets a secret on its standard input; killed with its last holder.
final class Child {
    private let process: pid_t
    private var status: Int32?
    /// Where its output can be read; -1 when that goes nowhere.
    private let reading: Int32

    /// Starts it.
    ///
    /// The input must fit into a pipe, so that nobody waits.
    init(
        _ path: String,
        _ arguments: [String],
        _ variables: [String: String],
        input: Secret,
        keepsOutput: Bool = false
    ) throws(ConsoleError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe hsip_pipe(&ends) == 0 else { throw .io(code: errno) }
        defer { close(ends[0]) }
        try Self.fill(ends[1], with: input)
        var output: [Int32] = [-1, -1]
        if keepsOutput, unsafe hsip_pipe(&output) != 0 { throw .io(code: errno) }
        defer { if output[1] >= 0 { close(output[1]) } }
        reading = output[0]
        process = try Self.spawn(path, arguments, variables, ends[0], output[1])
    }

    /// How it ended; nil while it runs.
    func ended() -> Int32? {
        if let status { return status }
        var code: Int32 = 0
        guard unsafe waitpid(process, &code, WNOHANG) != 0 else { return nil }
        status = code
        return code
    }

    /// Whether it ended, and well.
    var succeeded: Bool { ended() == 0 }

    /// What it wrote, once it has ended; at most what fits into a pipe.
    ///
    /// - Throws: `timedOut`.
    func output(seconds: Int) throws(ConsoleError) -> SecretBytes {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ended() == nil {
            guard ContinuousClock.now < deadline else { throw .timedOut(seconds: seconds) }
            usleep(2_000)
        }
        return try OwnFile.allOf(Descriptor(reading))
    }

    /// Writes all of the input and closes the end.
    private static func fill(_ end: Int32, with input: Secret) throws(ConsoleError) {
        defer { close(end) }
        try Descriptor(end).write(input)
    }

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        _ variables: [String: String],
        _ input: Int32,
        _ output: Int32
    ) throws(ConsoleError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        if output >= 0 {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe hsip_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        var reset = sigset_t()
        unsafe sigfillset(&reset)
        unsafe posix_spawnattr_setsigdefault(&attributes, &reset)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let environment = variables.map { "\($0.key)=\($0.value)" }.sorted()
        let code = unsafe CStrings.with([path] + arguments) { words in
            unsafe CStrings.with(environment) { variables in
                unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
            }
        }
        guard code == 0 else { throw .io(code: code) }
        return process
    }

    deinit {
        if reading >= 0 { close(reading) }
        guard status == nil else { return }
        _ = kill(process, SIGKILL)
        var code: Int32 = 0
        _ = unsafe waitpid(process, &code, 0)
    }
}
