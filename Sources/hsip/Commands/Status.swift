internal import ArgumentParser
internal import Console
internal import FileStore
internal import RecordStore
internal import VaultKit

/// One screen: the vault, and what needs its owner.
struct Status: Command {
    static let path = "status"
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the vault and what needs you: codes to send, sessions that end.",
        discussion: """
            Where nobody can be asked for the passphrase, it says that the vault is locked, and no more.

              hsip status
              hsip status --exit-code && echo open
            """
    )

    @Flag(help: "Ask nothing; end with 5 if the vault is locked.")
    var exitCode = false

    func run(_ context: Context) async throws {
        let place = try context.place()
        guard try isThere(place, context) else { return try showNone(context) }
        let glance = try context.checkRecord(place)
        guard let store = try open(place, context) else {
            if exitCode { context.exitStatus = ExitCode.locked.rawValue }
            return try StatusScreen(place: place, id: glance.vaultID, inside: nil).show(context)
        }
        let inside = try await StatusScreen.Inside.of(
            Vault(store: store),
            store,
            try context.config(place).record(of: place.key)
        )
        try StatusScreen(place: place, id: glance.vaultID, inside: inside).show(context)
    }

    /// False where there was never a vault; one that should be there is an error.
    private func isThere(_ place: VaultPlace, _ context: Context) throws -> Bool {
        if Path.exists(place.file) { return true }
        guard try context.config(place).record(of: place.key) == nil else { throw Misplaced.missing(place) }
        return false
    }

    /// The open vault; nil when it stays locked, because nobody can be asked or the question was closed.
    private func open(_ place: VaultPlace, _ context: Context) throws -> FileStore? {
        let source = try UnlockSource.find(context.globals, context.environment, context.terminal)
        guard let source, !(exitCode && source == .terminal) else { return nil }
        do {
            return try context.unlock(place).store
        } catch ConsoleError.refused where source == .terminal {
            return nil
        }
    }

    private func showNone(_ context: Context) throws {
        try context.output.line("There is no vault yet.")
        context.output.hint("hsip init")
        if exitCode { context.exitStatus = ExitCode.locked.rawValue }
        try context.output.succeed([
            "vault": nil, "locked": true, "agent": nil, "identity": nil, "contacts": nil, "sessions": nil,
            "openOffers": nil, "clockSuspect": nil, "attention": [],
        ])
    }
}
