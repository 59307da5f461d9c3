internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

/// `hsip setup backup`.
struct SetupBackup: Command {
    static let path = "setup backup"
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the vault every day or hour by systemd.",
        discussion: """
            hsip writes two units to ~/.config/systemd/user and enables the timer. They run hsip vault \
            backup --to DIR --unattended, which never asks. Make the first backup of a vault in the \
            keyring by hand: it asks for a passphrase.

              hsip setup backup --to /media/stick/hsip
              hsip setup backup --undo
            """
    )

    @OptionGroup var options: SetupOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The folder for the backups.", valueName: "dir"),
        completion: .directory
    )
    var folder: String?

    @Flag(help: "Back up every hour.")
    var hourly = false
    @Flag(help: "Back up every day (default).")
    var daily = false

    @Option(help: ArgumentHelp("How many of the newest backups to keep.", valueName: "n"))
    var keep = 7

    @Option(help: ArgumentHelp("Keep the last backup of this many months.", valueName: "m"))
    var monthly = 12

    func run(_ context: Context) async throws {
        guard !(hourly && daily) else { throw Failure.usage("--hourly and --daily exclude each other") }
        guard Retention(newest: keep, monthly: monthly) != nil else { throw BackupCommand.badRetention }
        guard folder != nil || options.undo else {
            throw Failure.usage("name the folder for the backups", hint: "hsip setup backup --to DIR")
        }
        let place = try context.place()
        if !options.undo { try refuseWithoutKey(place, context) }
        let environment = context.environment
        let units = try BackupUnits(
            vault: place.key,
            program: try OwnProgram.path(environment),
            folder: try checkedFolder(place, context),
            environment: { options.undo ? nil : environment[$0] },
            interval: hourly ? .hourly : .daily,
            newest: keep,
            monthly: monthly
        )
        let setup = UnitSetup(
            name: "backup",
            heading: BackupUnits.heading,
            texts: units.texts,
            started: [units.timer],
            stopped: [units.timer]
        )
        try setup.run(options, at: place, context, done: "systemd backs up the vault from now on") {
            context.output.hint("systemctl --user enable --now \(units.timer)")
        }
    }

    /// The first backup of a vault in the keyring asks for a passphrase, which a timer cannot do.
    private func refuseWithoutKey(_ place: VaultPlace, _ context: Context) throws {
        let found = try context.find(place)
        guard case .keyring = found, case .keyring(let store) = try context.open(found, at: place) else {
            return
        }
        guard try KeyringCopies(store).hasKey() else {
            throw Failure(
                .inputNeeded,
                "the first backup of a vault in the keyring asks for a passphrase",
                hint: "hsip vault backup --to DIR  makes it; then the timer needs none"
            )
        }
    }

    /// The folder for the units, absolute; for an undo it does not matter.
    ///
    /// - Throws: `backupPlaceMissing` for one that is not there: where a stick will be must be seen once.
    private func checkedFolder(_ place: VaultPlace, _ context: Context) throws -> String {
        guard let folder, !options.undo else { return "/" }
        do {
            return try FolderBackup(folder, of: try context.find(place), at: place).path
        } catch let error as FolderBackup.Refusal {
            throw BackupCommand.explain(error, context)
        }
    }
}
