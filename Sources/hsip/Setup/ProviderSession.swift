internal import Commands
internal import Glibc
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Setup
internal import System
internal import Text
internal import VaultLifecycle

/// The session in which a vault becomes the Secret Service: its bus, its systemd, and the program that serves now.
struct ProviderSession {
    /// Seconds that a program has to end.
    private static let patience: Int32 = 10

    private let context: Context
    private let manager: ServiceControl

    init(_ context: Context) {
        self.context = context
        manager = ServiceControl(context.environment)
    }

    /// The bus; without one no program could be served.
    ///
    /// - Throws: `noSessionBus`, `noSecretLibrary`.
    func bus() throws(StoreError) -> SessionBus {
        try SessionBus(environment: context.environment.busVariables)
    }

    /// Lets systemd and the bus read again what was written or removed.
    func reload() {
        if !manager.tell(["daemon-reload"]), Path.isFolder("/run/systemd/system") {
            context.output.hint("systemctl --user daemon-reload")
        }
        try? bus().reload()
    }

    /// Ends the program that serves, if it is another one and the person agrees.
    ///
    /// - Returns: whether the name is free for hsip-secrets, or its own.
    func freesName() throws -> Bool {
        guard let process = try bus().holder() else { return true }
        let holder = NameHolder(process)
        if holder.isOwn { return true }
        let name = context.output.display.name(holder.name)
        // What else it does, as PKCS#11, systemd starts again.
        let isUnit = manager.tell(["is-active", ProviderFiles.keyringUnit])
        if try context.agrees("Stop \(name), which programs use now?"), holder.end(seconds: Self.patience) {
            try waitForEnd(of: process)
            if isUnit { _ = manager.tell(["restart", ProviderFiles.keyringUnit]) }
            return true
        }
        context.output.note("\(name) stays in use until you log out")
        context.output.hint("log out and in, then: hsip setup keyring")
        return false
    }

    /// Ends hsip-secrets.
    func stop() {
        if manager.tell(["stop", ProviderFiles.unit]) { return }
        guard let process = try? bus().holder() else { return }
        let holder = NameHolder(process)
        guard holder.isOwn, holder.end(seconds: Self.patience) else { return }
        try? waitForEnd(of: process)
    }

    /// Waits until the bus has noticed that a process ended: before that, calls still go to it.
    private func waitForEnd(of process: Int32) throws {
        let deadline = Deadline(seconds: Int(Self.patience))
        while try bus().holder() == process, deadline.remaining > 0 { poll(nil, 0, 10) }
    }

    /// Starts what serves where hsip does not: the bus knows, if there is anything.
    func startOther() {
        if manager.tell(["is-active", ProviderFiles.keyringUnit]) {
            _ = manager.tell(["restart", ProviderFiles.keyringUnit])
        }
        _ = try? SecretService.connect(environment: context.environment.busVariables, patience: .probe)
    }
}
