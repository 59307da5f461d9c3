internal import Glibc

/// The agent or the bus service as a child process, for systems on which no service manager starts it.
///
/// The child keeps running after it has said `ready`. A caller that keeps running as well waits for its end.
package struct AgentSpawn: Sendable {
    /// Seconds that the child has until its sockets must listen.
    package static let seconds = 20
    /// The environment variables that the child inherits: for its paths, its locale and its prompts.
    private static let variables = [
        "HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
        "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP",
        "XDG_SESSION_ID", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "SSH_ASKPASS", "SSH_CONNECTION", "SSH_SK_HELPER",
    ]

    /// The process ID of the child.
    package let process: Int32
    /// The warnings of the child, one a line; if it did not start, the reason too.
    package let lines: [String]
    /// True if the sockets of the child listen.
    package let isReady: Bool
    /// True if the child did not say `ready` in time; it may still run.
    package let isLate: Bool

    /// Starts the program for a vault, and waits until it listens, has ended, or is late.
    ///
    /// - Parameters:
    ///   - program: The path of `hsip-agent` or `hsip-secrets`.
    ///   - vault: The key of the vault that it serves.
    ///   - options: More of its options.
    ///   - environment: The environment of this program.
    /// - Throws: The errors of `Pipe` and of `SpawnPlan.start`.
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
        // The child's messages and its `ready` share one pipe; it keeps no other descriptor of ours open.
        // The write end may itself have the number 3, and dup2 of 3 to 3 would leave it closed on exec. So 3 is copied from 2.
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

    /// Waits until the child ends.
    ///
    /// - Returns: Its exit status; nil if a signal ended it.
    @discardableResult
    package func waitForEnd() -> Int32? {
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        // The macros WIFEXITED and WEXITSTATUS by hand: Swift does not import them.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// Reads until the child says `ready`, closes its end, is late, or has written 16 KiB.
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
