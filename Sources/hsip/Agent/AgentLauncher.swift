internal import AgentProtocol
internal import CommandKit
internal import Console
internal import Glibc
internal import Programs
internal import SystemSetup
internal import VaultLifecycle

/// Starts the agent where no service manager does.
struct AgentLauncher {
    /// Seconds that it has until its sockets listen.
    static let seconds = 20
    /// How it ends where another one serves.
    private static let alreadyServed: Int32 = 4
    /// What of this program's environment the agent gets: where things lie, and where a prompt can appear.
    private static let variables = [
        "HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
        "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP",
        "XDG_SESSION_ID", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
        "XAUTHORITY", "SSH_ASKPASS", "SSH_CONNECTION",
    ]

    let environment: Environment

    /// The agent's program: beside this one, else where packages put it, else in `$PATH`.
    static func program(_ environment: Environment) -> String? { installed("hsip-agent", environment) }

    /// The program that serves the session bus, in the same places.
    static func secretsProgram(_ environment: Environment) -> String? {
        installed("hsip-secrets", environment)
    }

    private static func installed(_ name: String, _ environment: Environment) -> String? {
        let beside = OwnProgram.running.map { Path.folder(of: $0) + "/" + name }
        for path in [beside, "/usr/libexec/" + name].compactMap(\.self) where unsafe access(path, X_OK) == 0 {
            return path
        }
        return ChildProcess.find(name, in: environment)
    }

    /// Starts it and waits until it listens.
    ///
    /// - Returns: what it warned of, a line each; nil when another agent has its sockets, which is about to listen or to
    ///   end.
    /// - Throws: `agentNotInstalled`, or `agentNotStarted` with what it said.
    func start(vault: String, storesAdded: Bool = false) throws -> [String]? {
        guard let program = Self.program(environment) else { throw Self.notInstalled }
        let pipe = try Pipe()
        defer { pipe.close() }
        let words = ["--vault", vault, "--ready-fd", "3"] + (storesAdded ? ["--store-added"] : [])
        let process = try spawn(program, words, pipe.writeEnd)
        pipe.closeWriteEnd()
        let deadline = Deadline(seconds: Self.seconds)
        let said = listen(pipe.readEnd, deadline)
        let lines = said.split(separator: "\n").map { line in
            String(line.hasPrefix("hsip-agent: ") ? line.dropFirst("hsip-agent: ".count) : line)
        }
        guard lines.last == "ready" else {
            if deadline.remaining == 0 { kill(process, SIGTERM) }
            var status: Int32 = 0
            unsafe waitpid(process, &status, 0)
            // The macros WIFEXITED and WEXITSTATUS by hand: Swift does not import them.
            guard status & 0x7F == 0, status >> 8 & 0xFF == Self.alreadyServed else {
                throw AgentLauncher.notStarted(lines.last)
            }
            return nil
        }
        return lines.dropLast()
    }

    /// Reads until the agent says that it is ready, or has closed its end.
    private func listen(_ descriptor: Int32, _ deadline: Deadline) -> String {
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

    /// Its complaints and the word that it is ready come by one pipe; it keeps nothing else of ours open.
    private func spawn(_ program: String, _ words: [String], _ output: Int32) throws(ConsoleError) -> Int32 {
        let plan = SpawnPlan()
        for standard in [STDIN_FILENO, STDOUT_FILENO] { plan.giveNothing(as: standard) }
        // The end of the pipe may itself be 3, which a copy onto itself would not make inheritable.
        plan.give(output, as: STDERR_FILENO)
        plan.give(STDERR_FILENO, as: 3)
        plan.close(from: 4)
        plan.resetSignals()
        let variables = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        return try plan.start([program] + words, variables)
    }

    /// There is no `hsip-agent` on this machine.
    static var notInstalled: Failure {
        Failure(
            .agentNotInstalled,
            "hsip-agent is not installed beside hsip, in /usr/libexec or in $PATH",
            hint: "apt install hsip-agent"
        )
    }

    /// The agent's program could not be started; `said` is its last line.
    fileprivate static func notStarted(_ said: String?) -> Failure {
        Failure(.agentNotStarted, said ?? "the agent did not start", hint: "hsip doctor")
    }
}

extension Context {
    /// The agent, started where none listens yet; several programs that start it together use the same one.
    func startedAgent(storesAdded: Bool = false) throws -> (agent: AgentClient, isNew: Bool) {
        if let agent = try connectToAgent() { return (agent, false) }
        let launcher = AgentLauncher(environment: environment)
        let vault = try place().key
        return try output.working("starting the agent…") {
            let deadline = Deadline(seconds: AgentLauncher.seconds)
            while deadline.remaining > 0 {
                if let warnings = try launcher.start(vault: vault, storesAdded: storesAdded) {
                    for text in warnings {
                        output.warn(Warning("agentWarning", text, hint: "hsip agent status"))
                    }
                    guard let agent = try connectToAgent() else { throw AgentLauncher.notStarted(nil) }
                    return (agent, true)
                }
                // It listens at once, or it is on its way out.
                if let agent = try connectToAgent() { return (agent, false) }
                poll(nil, 0, 20)
            }
            throw AgentLauncher.notStarted(
                "another agent holds the sockets of this vault and does not listen"
            )
        }
    }
}
