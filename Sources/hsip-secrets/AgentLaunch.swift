internal import AgentKit
internal import Glibc
internal import Programs

/// Starts the agent where none listens, as `hsip agent start` does; a service manager's socket starts it by itself.
struct AgentLaunch: Sendable {
    /// Seconds that it has until its sockets listen.
    private static let seconds = 20
    /// What of this program's environment the agent gets: where things lie, and where a prompt can appear.
    private static let variables = [
        "HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
        "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP",
        "XDG_SESSION_ID", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "SSH_ASKPASS", "SSH_CONNECTION",
    ]

    /// The key of the vault that it serves.
    let vault: String

    /// The agent's program: the one beside this one, which is the only one that takes this one for its front.
    private var program: String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count,
            let path = String(validating: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self),
            let slash = path.lastIndex(of: "/")
        else { return nil }
        return path[..<slash] + "/hsip-agent"
    }

    /// Starts it and waits until it listens, or has ended because another one does.
    ///
    /// - Returns: whether it is worth to connect again.
    func start() -> Bool {
        guard let program, unsafe access(program, X_OK) == 0, let pipe = try? Pipe() else { return false }
        defer { pipe.close() }
        let plan = SpawnPlan()
        for standard in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { plan.giveNothing(as: standard) }
        // The end of the pipe may itself be 3, which a copy onto itself would not make inheritable.
        plan.give(pipe.writeEnd, as: STDERR_FILENO)
        plan.give(STDERR_FILENO, as: 3)
        plan.close(from: 4)
        plan.resetSignals()
        let environment = Environment.process
        let variables = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        let words = [program, "--vault", vault, "--ready-fd", "3"]
        guard let process = try? plan.start(words, variables) else { return false }
        pipe.closeWriteEnd()
        wait(for: pipe.readEnd)
        // It goes on by itself; how it ends once is taken note of.
        try? OwnThread.start("agent") {
            var status: Int32 = 0
            unsafe waitpid(process, &status, 0)
        }
        return true
    }

    /// Reads until the agent says that it is ready, or has closed its end.
    private func wait(for descriptor: Int32) {
        let deadline = Deadline(seconds: Self.seconds)
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while text.utf8.count < 16_384, !text.hasSuffix("ready\n"), deadline.remaining > 0 {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, deadline.remaining) > 0 else { continue }
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return }
            text += String(decoding: chunk.prefix(count), as: UTF8.self)
        }
    }
}
