internal import AgentKit
internal import AgentProtocol
internal import FileStore
internal import Files
internal import Glibc
internal import SSHFormats
internal import System
internal import VaultLifecycle

/// One agent, put together: its vault, its sockets, and everything that hangs on them.
struct AgentServer {
    private let core: AgentCore
    private let timer: LockTimer
    private let hooks: SleepHooks
    private let ring = KeyRing()
    private let sockets: Sockets
    /// Over when the agent has to end.
    private let stop: Cancellation
    private let signals: AgentSignals
    private let control: SocketServer
    private let ssh: SocketServer
    private let handler: ControlHandler
    private let footprint = Footprint()

    init(_ options: AgentOptions, _ signals: AgentSignals, _ hardening: Hardening) throws {
        let place = try VaultPlace(options.vault, .process)
        self.signals = signals
        let stop = try Cancellation()
        self.stop = stop
        timer = try LockTimer(limits: options.limits)
        let locator = VaultLocator(place, .process)
        // An agent of a vault that is not there would only look as if it had one.
        if case .file(let overview) = try locator.find() { overview.letGo() }
        let core = AgentCore(opener: AgentVaultOpener(locator: locator))
        self.core = core
        hooks = SleepHooks { reason in core.lock(reason) }
        // Keys are wiped before anything that could wait hears of the lock.
        core.add(ring)
        core.add(timer)
        let prompting = try Prompting(ConfigFile(path: place.configPath))
        // The last entry of the log tells of the lock, so its key is wiped last.
        let gate = Gate(prompter: prompting.prompter)
        core.add(gate)
        core.add(footprint)
        sockets = try Sockets(AgentPaths(vault: place.key, environment: Self.variables))
        let facts = StatusFacts(hardening, hooks, timer, ring, sockets.control.path, sockets.ssh.path)
        let quota = MemoryQuota(lockable: hardening.lockedMemoryLimit)
        let handler = try ControlHandler(
            ControlParts(
                program: Start.program,
                core: core,
                gate: gate,
                quota: quota,
                prompter: { _ in prompting.prompter },
                questions: prompting.prompter,
                returns: { prompting.returns(to: $0) },
                opened: { prompting.moved(to: $0) },
                facts: {
                    facts.add(to: &$0)
                    prompting.add(to: &$0)
                },
                ended: { stop.cancel() }
            )
        )
        self.handler = handler
        let server = SSHServer(
            ring: ring,
            source: CoreVaultSource(
                core,
                isHeard: { gate.asks($0) && prompting.reaches($0) },
                asker: { gate.asks($0) ? prompting.asker(for: $0) : nil }
            ),
            gate: gate,
            published: { PublishedKeys.read(place.publicKeyFolder) },
            storesAdded: options.storesAdded,
            quota: quota,
            stop: stop
        )
        control = SocketServer(
            name: "control",
            listener: sockets.control,
            limit: FrameLimits.connections,
            limitPerProcess: FrameLimits.connectionsPerProcess,
            turnedAway: { handler.turnAway($0) },
            serve: { handler.serve($0) }
        )
        ssh = SocketServer(
            name: "ssh",
            listener: sockets.ssh,
            limit: SSHServer.maximumConnections,
            limitPerProcess: SSHServer.maximumPerProcess,
            mayConnect: SSHServer.mayConnect,
            serve: { server.serve($0) }
        )
    }

    private static var variables: [String: String] {
        var variables: [String: String] = [:]
        for name in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"] {
            variables[name] = Environment.process[name]
        }
        return variables
    }

    /// Starts what serves.
    func begin() throws(SystemError) {
        let (hooks, control, ssh, stop) = (hooks, control, ssh, stop)
        try OwnThread.start("logind") { hooks.run(until: stop) }
        try OwnThread.start("control-accept") { control.run(until: stop) }
        try OwnThread.start("ssh-accept") { ssh.run(until: stop) }
    }

    /// Serves until the end, and ends in order: no new client, no more questions, keys wiped, sockets gone.
    func serve() -> AgentLoop.End {
        let (ring, core, footprint) = (ring, core, footprint)
        footprint.shrink()
        let loop = AgentLoop(
            core: core,
            timer: timer,
            signals: signals,
            listeners: sockets.all,
            stop: stop,
            tidy: {
                _ = ring.purge()
                // A file that was taken away is noticed also while no request comes.
                if let open = core.openVault, !open.isInPlace { core.lock(.vaultGone) }
                footprint.shrink()
            },
            dropKeys: { ring.dropAdded() }
        )
        let end = loop.run()
        ServiceManager.notify("STOPPING=1")
        stop.cancel()
        handler.stop()
        sockets.remove()
        control.hangUpAll()
        ssh.hangUpAll()
        return end
    }
}

/// The public keys that their owner has published as `.pub` files: what ssh may see while the vault is locked.
enum PublishedKeys {
    /// More is a folder of something else.
    private static let maximum = 1_024
    private static let longest = 16_384

    /// The keys in a folder, in the order of their names; what is no public key, or a certificate that its CA has not
    /// signed, is passed over.
    static func read(_ folder: String) -> [PublicKey] {
        let names = (Folder.names(in: folder) ?? []).filter { $0.hasSuffix(".pub") && !$0.hasPrefix(".") }
        return names.sorted().prefix(maximum).compactMap { name in
            guard let line = try? OwnFile.readKept("\(folder)/\(name)", limit: longest) else { return nil }
            let text = line.last == 0x0A ? Array(line.dropLast()) : line
            guard let key = try? PublicKey(line: text) else { return nil }
            return key.algorithm.isCertificate && (try? Certificate(signed: key)) == nil ? nil : key
        }
    }
}

/// The two sockets of an agent, from the service manager or of its own making.
struct Sockets {
    let control: Listener
    let ssh: Listener

    var all: [Listener] { [control, ssh] }

    /// Takes what was handed over, and makes what is missing.
    init(_ paths: AgentPaths) throws(SystemError) {
        let given = try ServiceManager.listeners(at: ["control": paths.control, "ssh": paths.ssh])
        if given.count < 2 {
            for folder in paths.madeFolders where unsafe mkdir(folder, 0o700) != 0 && errno != EEXIST {
                throw .failed(call: "mkdir", code: errno)
            }
        }
        if let control = given["control"] {
            self.control = control
        } else {
            control = try Listener.bind(path: paths.control)
        }
        if let ssh = given["ssh"] { self.ssh = ssh } else { ssh = try Listener.bind(path: paths.ssh) }
    }

    func remove() { for listener in all { listener.remove() } }
}
