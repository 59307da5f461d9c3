internal import AgentKit
internal import AgentProtocol
internal import Glibc
internal import Programs
internal import VaultOpening

/// One agent, put together: its vault, its sockets, and everything that hangs on them.
struct Household {
    let core: AgentCore
    let timer: LockTimer
    let hooks: SleepHooks
    let sockets: Sockets
    let stop: Cancellation
    private let signals: AgentSignals
    private let hardening: Hardening

    init(_ options: AgentOptions, _ signals: AgentSignals, _ hardening: Hardening) throws {
        let place = try VaultPlace(options.vault, .process)
        let finder = VaultFinder(place, .process)
        self.signals = signals
        self.hardening = hardening
        stop = try Cancellation()
        timer = try LockTimer(limits: options.limits)
        core = AgentCore(opener: FinderOpener(finder: finder))
        core.add(timer)
        hooks = SleepHooks { [core] reason in core.lock(reason) }
        sockets = try Sockets(AgentPaths(vault: place.key, environment: Self.variables))
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
        let (hooks, stop) = (hooks, stop)
        try OwnThread.start("logind") { hooks.run(until: stop) }
    }

    /// Serves until the end, and ends in order: nobody new, keys wiped, sockets gone.
    func serve() -> AgentLoop.End {
        let loop = AgentLoop(
            core: core,
            timer: timer,
            signals: signals,
            listeners: sockets.all,
            stop: stop,
            dropKeys: {}
        )
        let end = loop.run()
        ServiceManager.notify("STOPPING=1")
        core.stop()
        stop.cancel()
        sockets.remove()
        return end
    }
}
