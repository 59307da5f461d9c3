internal import Glibc

/// Another program, run to its end.
enum Child {
    /// What a run took.
    struct Run {
        let seconds: Double
        /// How long it kept the processor busy, the system's work for it included.
        let processor: Double
        /// The largest resident memory, in KiB, as `wait4(2)` tells it.
        let peak: Int
    }

    /// Runs a program with these words and variables, or with those of this process; its output goes nowhere
    /// unless a file is named.
    ///
    /// - Throws: `BenchmarkError.child` when it does not end with 0.
    static func run(
        _ path: String,
        _ words: [String],
        environment: [String] = [],
        inherits: Bool = false,
        input: String = "/dev/null",
        output: String = "/dev/null"
    ) throws -> Run {
        let clock = ContinuousClock()
        let start = clock.now
        let process = try Self.start(
            path,
            words,
            environment: inherits ? own : environment,
            input: input,
            output: output
        )
        var status = Int32()
        var usage = rusage()
        while unsafe wait4(process, &status, 0, &usage) == -1 {
            guard errno == EINTR else { throw BenchmarkError.system(errno) }
        }
        let seconds = (clock.now - start) / .seconds(1)
        guard status == 0 else { throw BenchmarkError.child(status) }
        let processor = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        return Run(seconds: seconds, processor: processor[0] + processor[1], peak: Int(usage.ru_maxrss))
    }

    /// Starts a program that goes on beside this one.
    static func start(
        _ path: String,
        _ words: [String],
        environment: [String],
        input: String = "/dev/null",
        output: String = "/dev/null"
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments = unsafe ([path] + words).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var process = pid_t()
        let failure = unsafe posix_spawn(&process, path, &actions, nil, &arguments, &variables)
        guard failure == 0 else { throw BenchmarkError.system(failure) }
        return process
    }

    /// The variables of this process.
    private static var own: [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            unsafe variables.append(String(cString: variable))
            unsafe next += 1
        }
        return variables
    }

    /// The largest resident memory of this process, in KiB.
    static var ownPeak: Int {
        var usage = rusage()
        unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        return Int(usage.ru_maxrss)
    }
}
