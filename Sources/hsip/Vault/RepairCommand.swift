internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultLifecycle

/// `hsip vault repair [FILE] -o NEW`.
struct RepairCommand: Command {
    static let path = "vault repair"
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract:
            "Save a damaged vault's records in a new vault file.",
        discussion: """
            hsip searches the file, its log or the keyring and keeps the genuine records. A backup of \
            the same vault helps if no key slot can be read. The new vault replaces nothing until you \
            restore it.

              hsip vault repair -o saved.hsipvault --with vault.backup
              hsip vault restore saved.hsipvault --force
            """
    )

    @Argument(help: "The damaged vault's file; its log is beside it.", completion: .file())
    var file: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file of the new vault (mode 0600).", valueName: "new"),
        completion: .file()
    )
    var output: String?

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("A backup of the same vault, to compare and to help.", valueName: "backup"),
        completion: .file()
    )
    var backups: [String] = []

    @Flag(name: .customLong("take-missing"), help: "Copy records that only the backup has.")
    var takesMissing = false

    @Flag(
        name: .customLong("all-slots"),
        help: "Keep unproven key slots; a slot you had removed may be among them."
    )
    var takesAllSlots = false

    @Option(
        help: ArgumentHelp(
            "Vault in the keyring without backups: read the new passphrase from here.",
            valueName: "file"
        ),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Flag(name: .customLong("dry-run"), help: "Show what can be saved; write nothing.")
    var isDryRun = false

    func run(_ context: Context) async throws {
        guard output != "-", file != "-" else {
            throw Failure.usage("a vault is a file: it is read again when it is written")
        }
        guard output != nil || isDryRun else {
            throw Failure.usage("name a file for the new vault", hint: "-o NEW, or --dry-run")
        }
        // Nothing is replaced here, so there is no --force to name.
        if let output, Path.isFile(output) { throw Self.explain(StoreError.alreadyExists) }
        try NewFile.check(output, replaces: false)
        let place = try context.place()
        if file == nil {
            let record = try context.explaining { try context.config(place).record(of: place.key) }
            if let record, record.backend == .secretService {
                return try self.repair(record, place, context)
            }
        }
        guard newPassphraseFile == nil else {
            throw Failure.usage("a repaired file opens with the secrets of the damaged one")
        }
        guard !takesMissing || !backups.isEmpty else {
            throw Failure.usage("--take-missing takes from a backup", hint: "--with BACKUP")
        }
        do {
            let repair = try context.explaining {
                try context.output.working("searching…") {
                    try VaultRepair.begin(
                        file,
                        at: context.locator(place),
                        into: isDryRun ? nil : output,
                        with: backups,
                        watch: { try SignalWatch() }
                    )
                }
            }
            let opened = try open(repair, place, context)
            let (report, vault) = try context.output.working("repairing…") {
                try repair.run(opened, takesMissing: takesMissing)
            }
            try RepairReport(repair, opened, report, vault).tell(context)
        } catch let error as StoreError {
            throw Self.explain(error)
        } catch let error as RepairRefusal {
            throw Self.explain(error, context)
        } catch let error as VaultRepair.Refusal {
            throw Self.explain(error, context)
        } catch let error as ProgramError {
            throw Self.explain(error)
        }
    }

    /// Opens the damaged vault by what opened it while it was sound, or by what opens a backup.
    private func open(
        _ repair: VaultRepair,
        _ place: VaultPlace,
        _ context: Context
    ) throws -> Repairing.Opened {
        guard let source = try context.secretSource(of: place) else { throw StoreError.locked }
        if !source.isNamed {
            context.output.say("Type the passphrase or recovery code of the damaged vault.")
        }
        do {
            return try context.explaining {
                try repair.open(by: source, context.unlocker(place), takesAllSlots: takesAllSlots)
            }
        } catch let error as StoreError
            where repair.isCutShort && (error == .noSuchSlot || error == .wrongSecret)
        {
            var failure = Self.explain(error)
            failure.message += "; the file has more possible key slots than hsip tries"
            failure.hint = "--with BACKUP  of the same vault, whose slots open it, too"
            throw failure
        }
    }
}
