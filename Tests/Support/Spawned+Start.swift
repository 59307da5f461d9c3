internal import CLinux
internal import Glibc
internal import Programs

extension Spawned {
    /// Starts a program with these standard descriptors, and none besides; what it lacks of them leads nowhere.
    ///
    /// - Throws: `HelperFailure` when it cannot be started.
    static func start(
        _ command: [String],
        _ environment: [String],
        _ descriptors: [Int32]
    ) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in descriptors.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
        }
        for missing in descriptors.count..<3 {
            unsafe posix_spawn_file_actions_addopen(&actions, Int32(missing), "/dev/null", O_RDWR, 0)
        }
        unsafe hsip_spawn_close_from(&actions, 3)

        // Threads of a test run block signals, and a program would inherit that.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        )

        let path = command.first ?? ""
        var process: pid_t = 0
        let code = unsafe CStrings.with(command) { words in
            unsafe CStrings.with(environment) { variables in
                unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
            }
        }
        guard code == 0 else { throw HelperFailure(description: "\(path) does not start: \(code)") }
        return process
    }
}
