internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// `hsip unlock`: opens the vault in the agent.
struct UnlockCommand: Command {
    static let path = "unlock"
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the vault for all commands and for ssh.",
        discussion: """
            The agent keeps the vault open until 15 minutes pass without use, for 8 hours at most. It \
            locks the vault when the machine sleeps, the screen is locked or the session ends. hsip starts \
            the agent if it does not run.

              hsip unlock
              hsip unlock --for 1h
              hsip unlock --with fido2
              hsip unlock --passphrase-file ~/.secret/vault
              hsip unlock --shares
            """
    )

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Lock after this time at the latest: 30m, 2h.", valueName: "duration")
    )
    var span: String?

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("unlock")
        let agent = try await context.openInAgent(seconds: try span.map { try Self.seconds(of: $0) })
        let sheet = try await AgentSheet(agent, context)
        context.output.note("the vault is \(sheet.state(context.output.display).shown)")
        try await context.warnOfAudit(CarriedService(agent))
        SetupSyncTimer.runNow(context)
        try context.output.succeed(["agent": sheet.json])
    }

    private static func seconds(of text: String) throws(Failure) -> Int {
        guard let seconds = Durations.parse(text), (1...31_536_000).contains(seconds) else {
            throw Failure.usage("--for needs a duration of at most a year", hint: "hsip unlock --for 2h")
        }
        return Int(seconds)
    }
}

extension Context {
    /// Opens the vault in the agent, and starts the agent if necessary; the vault locks after these seconds at the
    /// latest.
    ///
    /// With `secret`, no person is asked.
    @discardableResult
    func openInAgent(seconds: Int? = nil, with secret: Secret? = nil) async throws -> AgentClient {
        let found = try find(try place())
        if found.backend == .secretService { try refusePassphrase() }
        if case .file(let overview) = found { overview.letGo() }
        let (agent, _) = try startedAgent()
        let slot = secret == nil ? try chosenSlot() : nil
        let given = try secret ?? slot?.pin ?? namedSecret()
        let mayAsk = !globals.asksNothing && !console.refusesInput
        let isNamed = if case .device? = try unlockSource() { true } else { false }
        let way = given != nil || slot != nil ? UnlockSource.given : mayAsk && !isNamed ? .ask : .unattended
        do {
            try await ask(agent) { agent in
                try await agent.request(
                    .unlock(
                        source: way,
                        seconds: seconds,
                        slot: slot?.slot,
                        lastTries: slot != nil && globals.takesLastTries ? true : nil
                    ),
                    secrets: given.map { [$0] } ?? []
                )
            }
        } catch AgentError.refused(var refusal) where way == .unattended && refusal == .locked {
            // For a locked vault the hint would be this very command.
            refusal.hint =
                found.backend == .secretService
                ? "hsip unlock  without --no-input, which asks for the keyring's password"
                : "--passphrase-file FILE"
            throw AgentError.refused(refusal)
        }
        return agent
    }

    /// Makes the agent open the vault; if it is already open, no person is asked.
    func openAgent() async throws {
        let (agent, _) = try startedAgent()
        if try await agent.status().isLocked { try await openInAgent() }
    }

    /// Returns the slot of the device in `--with`, and its PIN; nil for a slot that the agent opens by itself.
    private func chosenSlot() throws -> (slot: UInt32, pin: Secret?)? {
        guard case .device(let kind, let number)? = try unlockSource() else { return nil }
        let place = try place()
        return try explaining { try DeviceSecret(self, place, kind, slot: number).chosen() }
    }

    /// Returns the secret given for this command; the agent itself reads a credential of its unit.
    func namedSecret() throws -> Secret? {
        let source = try unlockSource()
        if case .shares = source {
            return Secret(try explaining { try SharesSecret(self).secret(attempt: 1) })
        }
        if case .terminal = source, globals.way != nil {
            let typed = TerminalSecret(context: self) { "Passphrase or recovery code" }
            return Secret(try explaining { try typed.secret(attempt: 1) })
        }
        guard case .named(let secret) = source else { return nil }
        if case .credential = secret.origin { return nil }
        return Secret(try explaining { try secret.secret() })
    }
}

/// `hsip lock`.
struct LockCommand: Command {
    static let path = "lock"
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the vault and wipe every key from memory.",
        discussion: """
              hsip lock
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("lock")
        let agent = try context.connectToAgent()
        if let agent { _ = try await agent.request(.lock()) }
        context.output.note(agent == nil ? "no agent is running; nothing was open" : "the vault is locked")
        try context.output.succeed(["agent": .bool(agent != nil), "locked": true])
    }
}
