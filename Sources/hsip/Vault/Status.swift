internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Setup
internal import System
internal import VaultKit
internal import VaultLifecycle

/// One screen: the vault, and what needs its owner.
struct Status: Command {
    static let path = "status"
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the vault, codes to send and sessions that end.",
        discussion: """
            If hsip cannot ask for the passphrase, it says only that the vault is locked. A locked keyring \
            stays locked.

              hsip status
              hsip status --exit-code && echo open
            """
    )

    @Flag(help: "Never ask; end with exit code 5 if the vault is locked.")
    var exitCode = false

    func run(_ context: Context) async throws {
        let place = try context.place()
        let record = try context.config(place).record(of: place.key)
        // There was never a vault; one that should be there is an error.
        if record == nil, !Path.exists(place.file) { return try showNone(place, context) }
        let found = try context.find(place)
        var screen = StatusScreen(place: place, found: found, record: record)
        screen.agent = try await agent(context)
        if let agent = screen.agent, !agent.status.isLocked {
            let vault = try await context.openVault()
            screen.inside = try await StatusScreen.Inside.of(
                vault,
                hasRecovery: found.hasRecovery,
                // When its slot was made only the file tells; doctor opens it.
                isPassphraseUnused: false,
                isAnchorMissing: false,
                record
            )
            try await context.tellDamage(vault)
            try await context.warnOfAudit(vault)
        } else if let store = try open(found, place, context) {
            screen.store = store
            let vault = Vault(store: store.store).service
            let slots = try Self.slots(of: store)
            screen.inside = try await StatusScreen.Inside.of(
                vault,
                hasRecovery: slots.contains { Sharing.isPaper($0) },
                isPassphraseUnused: PassphraseUse.isForgotten(
                    slots,
                    typedAt: record?.passphraseTypedAt,
                    now: context.now
                ),
                isAnchorMissing: store.noted.contains(.anchorMissing),
                record
            )
            try await context.tellDamage(vault)
            try await context.warnOfAudit(try context.vault(over: store.store).ownService)
        } else if exitCode {
            context.exitStatus = ExitCode.locked.rawValue
        }
        try screen.show(context)
    }

    /// The key slots of a vault file; none for one in the keyring.
    private static func slots(of store: OpenedStore) throws -> [SlotInfo] {
        guard case .file(let store) = store else { return [] }
        return try store.slots()
    }

    /// How the agent stands; nil where none answers.
    ///
    /// An agent that refuses to is no reason to tell nothing.
    private func agent(_ context: Context) async throws -> AgentSheet? {
        guard !context.globals.avoidsAgent, let agent = try? context.connectToAgent(),
            let status = try? await agent.status()
        else { return nil }
        return AgentSheet(status: status, context)
    }

    /// The open vault; nil when it stays locked, because there is no user to ask or the question was closed.
    private func open(
        _ found: FoundVault,
        _ place: VaultPlace,
        _ context: Context
    ) throws -> OpenedStore? {
        switch found {
        case .file(let overview): try open(overview, place, context).map { .file($0) }
        case .keyring: try openKeyring(found, place, context)
        }
    }

    private func open(_ overview: FileOverview, _ place: VaultPlace, _ context: Context) throws -> FileStore?
    {
        let source = try context.unlockSource()
        let isAsked = source == nil || source == .terminal
        do {
            return try context.unlock(place, overview, asks: !exitCode).store
        } catch ConsoleError.refused where isAsked {
            return nil
        } catch StoreError.locked where isAsked {
            return nil
        }
    }

    /// A status is no reason to show a prompt at the desktop.
    private func openKeyring(
        _ found: FoundVault,
        _ place: VaultPlace,
        _ context: Context
    ) throws -> OpenedStore? {
        do {
            return try context.open(found, at: place, waiting: .brief)
        } catch StoreError.keyringLocked {
            return nil
        }
    }

    private func showNone(_ place: VaultPlace, _ context: Context) throws {
        if let anchor = try? context.config(place).forgottenAnchor(in: place.paths.anchorFolder) {
            try context.output.line("No vault is recorded, but there was one here.")
            context.output.note("it may be in the keyring: \(context.path(anchor).shown) remembers it")
            context.output.hint("hsip doctor --fix  with the keyring running")
        } else {
            try context.output.line("There is no vault yet.")
            context.output.hint(context.globals.sameVault("hsip init"))
        }
        if exitCode { context.exitStatus = ExitCode.locked.rawValue }
        try context.output.succeed([
            "vault": nil, "locked": true, "agent": nil, "identity": nil, "contacts": nil, "sessions": nil,
            "openOffers": nil, "clockSuspect": nil, "attention": [], "store": nil,
            "provider": .text(context.provider.rawValue), "machines": nil,
        ])
    }
}
