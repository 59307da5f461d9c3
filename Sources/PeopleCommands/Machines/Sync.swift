internal import ArgumentParser
internal import CommandKit
internal import Console

/// `hsip sync`.
struct Sync: Command {
    static let path = "sync"
    static let configuration = CommandConfiguration(
        commandName: "sync",
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
