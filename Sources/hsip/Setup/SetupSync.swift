internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

/// `hsip setup sync`: this vault on several machines.
struct SetupSyncGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Use the secrets of this vault on several machines.",
        discussion: """
            The first machine chooses where the shared log is kept; it is encrypted. Each other machine \
            joins by a code.

              hsip setup sync git git@home.example:vault.git
              hsip setup sync join
              hsip setup sync timer
              hsip setup sync --undo
            """,
        subcommands: PeopleFeature.setupSync + [SetupSyncTimer.self],
        defaultSubcommand: PeopleFeature.leaveSync
    )
}

/// `hsip setup sync timer`.
struct SetupSyncTimer: Command {
    static let path = "setup sync timer"
    static let configuration = CommandConfiguration(
        commandName: "timer",
        abstract: "Run hsip sync by systemd: every five minutes, and at unlock.",
        discussion: """
            hsip writes two units to ~/.config/systemd/user and enables the timer. They never ask, and do \
            nothing while the vault is locked. hsip unlock then syncs at once, too. On a server, \
            HSIP_PASSPHRASE_FILE names the file that opens the vault for them.

              hsip setup sync timer
              hsip setup sync timer --undo
            """
    )

    @OptionGroup var options: SetupOptions

    /// Has systemd sync the vault now if its timer is set up, without waiting for the end of the sync.
    static func runNow(_ context: Context) {
        guard let place = try? context.place(), let program = try? OwnProgram.path(context.environment),
            let units = try? SyncUnits(vault: place.key, program: program),
            Path.exists("\(place.unitFolder)/\(units.timer)")
        else { return }
        _ = ServiceControl(context.environment).tell(["start", "--no-block", units.service])
    }

    func run(_ context: Context) async throws {
        let (place, environment) = (try context.place(), context.environment)
        let units = try SyncUnits(
            vault: place.key,
            program: try OwnProgram.path(environment),
            environment: { options.undo ? nil : environment[$0] }
        )
        let setup = UnitSetup(
            name: "sync timer",
            heading: SyncUnits.heading,
            texts: units.texts,
            started: [units.timer],
            stopped: [units.timer]
        )
        try setup.run(options, at: place, context, done: "systemd syncs the vault from now on") {
            context.output.hint("systemctl --user enable --now \(units.timer)")
        }
    }
}
