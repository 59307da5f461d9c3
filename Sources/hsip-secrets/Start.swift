internal import AgentKit
internal import AgentProtocol
internal import CLinux
internal import FileStore
internal import Glibc
internal import MessageBus
internal import Presentation
internal import ServiceKit
internal import System
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// From the command line to a service on the bus.
enum Start {
    /// The name and version that the agent and programs on the bus get.
    static let program = "hsip-secrets \(ProductVersion.text)"

    static func run(_ words: [String]) -> Int32 {
        do {
            let options = try ServiceOptions(words)
            if options.asksForHelp || options.asksForVersion {
                try Descriptor.output.write(options.asksForHelp ? ServiceOptions.help : "\(program)\n")
                return 0
            }
            // Before the second thread: threads inherit which signals are blocked, and the filter of calls.
            if let descriptor = options.readyDescriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            let hardening = Hardening.apply(keeping: (options.readyDescriptor ?? 2) - 2)
            let signals = try AgentSignals()
            if let warning = hardening.warning { Complaints.say(warning) }
            try serve(options, signals)
            return 0
        } catch {
            return Complaints.explain(error)
        }
    }

    private static func serve(_ options: ServiceOptions, _ signals: AgentSignals) throws {
        let place = try VaultPlace(options.vault, .process)
        guard let mailbox = Mailbox() else { throw SystemError.failed(call: "eventfd", code: errno) }
        var variables: [String: String] = [:]
        for name in Hello.variables + ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"] {
            variables[name] = Environment.process[name]
        }
        let pool = AgentPool(
            try AgentPaths(vault: place.key, environment: variables).control,
            program: program,
            environment: variables,
            mailbox: mailbox,
            showing: { (greet) throws(AgentError) in
                _ = hsip_set_dumpable()
                defer { _ = hsip_set_not_dumpable() }
                return try greet()
            },
            launch: { AgentLaunch(vault: place.key).start() }
        )
        guard let bus = Bus.session() else { throw Complaints.Obstacle.noBus }
        let config = ConfigFile(path: place.configPath)
        let vaultID = try config.record(of: place.key).map { Hex.encode($0.id) }
        let front = Front(
            bus,
            pool,
            mailbox,
            program: program,
            memory: CollectionsFile(folder: place.paths.anchorFolder, vaultID: vaultID),
            allowsPlain: try config.setting("service.plain") != "refuse"
        )
        guard front.listens() else { throw Complaints.Obstacle.noBus }
        switch bus.own(Front.name) {
        case .owned: break
        case .failed: throw Complaints.Obstacle.nameRefused
        case .taken:
            let pid = bus.process(of: Front.name)
            throw Complaints.Obstacle.nameTaken(pid: pid, program: pid.flatMap(name))
        }
        // Without this name everything but the portal works.
        if bus.own(Front.portalName) != .owned {
            Complaints.say("another program has the name \(Front.portalName)")
        }
        try OwnThread.start("signals") {
            var request = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
            while true {
                guard unsafe poll(&request, 1, -1) > 0 else { continue }
                if signals.next() == .stop { return mailbox.stop() }
            }
        }
        // It may be started by its first request.
        try? pool.connect()
        ServiceManager.ready(telling: options.readyDescriptor)
        let end = front.run()
        ServiceManager.notify("STOPPING=1")
        if end == .nameLost { throw Complaints.Obstacle.nameLost }
    }

    /// The name of a process (proc(5), comm).
    private static func name(_ pid: Int32) -> String? {
        guard let bytes = try? OwnFile.readKept("/proc/\(pid)/comm", limit: 64) else { return nil }
        return String(validating: bytes.filter { $0 != 0x0A }, as: UTF8.self)
    }
}

/// Starts the agent where none listens, as `hsip agent start` does; a service manager's socket starts it by itself.
struct AgentLaunch: Sendable {
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
        guard let program, unsafe access(program, X_OK) == 0,
            let agent = try? AgentSpawn(program, vault: vault, .process)
        else { return false }
        // It goes on by itself; how it ends once is taken note of.
        try? OwnThread.start("agent") { agent.waitForEnd() }
        return true
    }
}

/// What the program says on stderr, and with which exit code it ends (Schemas/exit-codes.json).
enum Complaints {
    /// Why the service cannot begin.
    enum Obstacle: Error, Equatable {
        case noBus
        case nameRefused
        /// Another program has taken the name.
        case nameLost
        /// Another program serves the name; its process and its name, as far as they can be read.
        case nameTaken(pid: Int32?, program: String?)
    }

    /// One line; the system's journal keeps it, so nothing of the vault is in it.
    static func say(_ text: String) { try? Descriptor.error.write("hsip-secrets: \(text)\n") }

    /// Says why it could not start.
    static func explain(_ error: any Error) -> Int32 {
        switch error {
        case let error as ServiceOptions.Mistake:
            say("unknown option or missing value: \(error.word) (see --help)")
            return 2
        case let error as CommandLineWords.Unreadable:
            say("\(error.sentence) (see --help)")
            return 2
        case Obstacle.noBus:
            say("no session bus")
            return 12
        case Obstacle.nameRefused:
            say("the session bus refuses hsip-secrets the name org.freedesktop.secrets")
            return 12
        case Obstacle.nameLost:
            say("another program has the name org.freedesktop.secrets now")
            return 4
        case Obstacle.nameTaken(let pid, let program):
            let name = program.map { Display(isUTF8: true).name($0) } ?? "another program"
            say("\(name)\(pid.map { " (process \($0))" } ?? "") serves org.freedesktop.secrets already")
            return 4
        default:
            let text = Failure(error)
            say(text.line)
            return text.exitCode
        }
    }
}
