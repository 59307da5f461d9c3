package import ArgumentParser
internal import CommandKit
internal import Console

/// `hsip sync`: changes to and from the other machines.
package struct SyncGroup: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Send changes to your other machines, and receive theirs.",
        discussion: """
              hsip sync
              hsip sync conflicts
            """,
        subcommands: [Sync.self, SyncConflicts.self, SyncSettle.self, SyncHead.self],
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

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let result = try await SyncRun.run(context, vault, acceptsRemovals: acceptsRemovals)
        result.tell(context.output)
        try context.output.succeed(result.json)
    }
}
