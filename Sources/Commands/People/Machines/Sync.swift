package import ArgumentParser
internal import Presentation
internal import VaultKit

/// `hsip sync`: sends changes to the other machines, and receives theirs.
package struct SyncGroup: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Send changes to your other machines, and receive theirs.",
        discussion: """
              hsip sync
              hsip sync conflicts
            """,
        subcommands: [Sync.self, SyncConflicts.self, SyncSettle.self, SyncHead.self, SyncRecover.self],
        defaultSubcommand: Sync.self
    )

    package init() {}
}

/// `hsip sync [now]`.
struct Sync: Command {
    static let path = "sync"
    static let configuration = CommandConfiguration(
        commandName: "now",
        abstract: "Send changes to your other machines, and receive theirs.",
        discussion: """
            If two machines changed one secret, hsip keeps both versions. Contacts, messages and sessions \
            stay on each machine.

              hsip sync
              hsip sync --accept-removals
            """
    )

    @Flag(
        name: .customLong("accept-removals"),
        help: "Accept that other machines deleted many secrets."
    )
    var acceptsRemovals = false

    @Flag(
        name: .customLong("delete-missing"),
        help: "Delete on all machines what a restore lost on this one."
    )
    var deletesMissing = false

    @Flag(help: "Never ask; do nothing while the vault is locked.")
    var unattended = false

    func run(_ context: Context) async throws {
        guard let vault = try await openVault(context) else {
            return try noteLocked(context)
        }
        let result: SyncResult
        do {
            result = try await SyncRun.run(
                context,
                vault,
                acceptsRemovals: acceptsRemovals,
                deletesMissing: deletesMissing
            )
        } catch let error where unattended && Failure(error).exitCode == ExitCode.locked.rawValue {
            // An agent runs, but is locked.
            return try noteLocked(context)
        }
        result.tell(context.output)
        try context.output.succeed(result.json)
    }

    private func noteLocked(_ context: Context) throws {
        context.output.note("the vault is locked; nothing was sent or received")
        try context.output.succeed(SyncResult().json)
    }

    /// Opens the vault; returns nil if the vault is locked and no person may be asked.
    private func openVault(_ context: Context) async throws -> (any VaultService)? {
        guard unattended else { return try await context.openVault() }
        context.globals.leavesLocked = true
        do {
            return try await context.openVault()
        } catch {
            guard Failure(error).exitCode == ExitCode.locked.rawValue else { throw error }
            return nil
        }
    }
}
