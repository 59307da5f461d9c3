internal import Glibc

/// The program of the agent or of the bus service, started where no service manager does: what it gets, and what it says
/// before it serves.
///
/// It goes on by itself when it has said `ready`; a program that goes on, too, waits for its end.
package struct AgentSpawn: Sendable {
    /// Seconds that it has until its sockets listen.
    package static let seconds = 20
    /// What of this program's environment the agent gets: where things lie, and where a prompt can appear.
    private static let variables = [
        "HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
        "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP",
        "XDG_SESSION_ID", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "SSH_ASKPASS", "SSH_CONNECTION", "SSH_SK_HELPER",
    ]

    /// Its number.
    package let process: Int32
    /// What it warned of, a line each, and the reason where it did not start.
    package let lines: [String]
    /// Its sockets listen.
    package let isReady: Bool
    /// It did not say so in time, and may still run.
    package let isLate: Bool

    /// Starts it for a vault, and waits until it listens, has ended, or is late.
    ///
    /// - Parameters:
    ///   - program: the path of `hsip-agent` or `hsip-secrets`.
    ///   - vault: the key of the vault that it serves.
    ///   - options: more of its options.
    ///   - environment: that of this program.
    /// - Throws: what starting a program throws.
    package init(
        _ program: String,
        vault: String,
        options: [String] = [],
        _ environment: Environment
    ) throws(ProgramError) {
        let pipe = try Pipe()
        defer { pipe.close() }
        let plan = SpawnPlan()
        for standard in [STDIN_FILENO, STDOUT_FILENO] { plan.giveNothing(as: standard) }
        // Its complaints and the word that it is ready come by one pipe; it keeps nothing else of ours open.
        // The end of the pipe may itself be 3, which a copy onto itself would not make inheritable.
        plan.give(pipe.writeEnd, as: STDERR_FILENO)
        plan.give(STDERR_FILENO, as: 3)
        plan.close(from: 4)
        plan.resetSignals()
        let variables = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        process = try plan.start([program, "--vault", vault, "--ready-fd", "3"] + options, variables)
        pipe.closeWriteEnd()
        let deadline = Deadline(seconds: Self.seconds)
        let mark = (program.split(separator: "/").last ?? "") + ": "
        let said = Self.listen(pipe.readEnd, deadline).split(separator: "\n").map { line in
            String(line.hasPrefix(mark) ? line.dropFirst(mark.count) : line)
        }
        isReady = said.last == "ready"
        isLate = !isReady && deadline.remaining == 0
        lines = isReady ? said.dropLast() : said
    }

    /// Waits for its end.
    ///
    /// - Returns: the number that it ended with; nil where a signal ended it.
    @discardableResult
    package func waitForEnd() -> Int32? {
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        // The macros WIFEXITED and WEXITSTATUS by hand: Swift does not import them.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// Reads until the agent says that it is ready, or has closed its end.
    private static func listen(_ descriptor: Int32, _ deadline: Deadline) -> String {
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while text.utf8.count < 16_384, !text.hasSuffix("ready\n"), deadline.remaining > 0 {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, deadline.remaining) > 0 else { continue }
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            text += String(decoding: chunk.prefix(count), as: UTF8.self)
        }
        return text
    }
}
