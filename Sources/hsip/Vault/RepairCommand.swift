internal import ArgumentParser
internal import CommandKit
internal import Console
internal import FileStore
internal import Programs
internal import RecordStore
internal import SafeText
internal import VaultLifecycle

/// `hsip vault repair [FILE] -o NEW`.
struct RepairCommand: Command {
    static let path = "vault repair"
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract:
            "Save what is left of a damaged vault into a new vault file; the damaged one stays as it is.",
        discussion: """
            Searches the file and its log for records by their shape, keeps those that are genuine, and says what is \
            missing. It ends with 11 unless everything can be vouched for. A backup of the same vault helps where no key \
            slot can be read, and tells what has changed since; --take-missing takes from it what is lost.

            Without FILE it is the vault of --vault. It opens by the passphrase or recovery code of the damaged vault. The \
            new vault is there even if something is missing, and replaces no vault until you restore it. On a disk that \
            fails, name a place on another one.

            Of a vault in the keyring each item is read on its own. The new vault is a file that opens by what opens the \
            backups of the vault, or by a new passphrase where it has none. hsip doctor --fix goes on in the keyring without \
            what cannot be read.

              hsip vault repair -o saved.hsipvault
              hsip vault repair -o saved.hsipvault --with /media/stick/vault.backup --take-missing
              hsip vault restore saved.hsipvault --force
            """
    )

    @Argument(help: "The damaged vault; its log is beside it.", completion: .file())
    var file: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The new vault, a file of mode 0600.", valueName: "new"),
        completion: .file()
    )
    var output: String?

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("A backup of the same vault that helps.", valueName: "backup"),
        completion: .file()
    )
    var backups: [String] = []

    @Flag(name: .customLong("take-missing"), help: "Take records that only a backup has.")
    var takesMissing = false

    @Flag(
        name: .customLong("all-slots"),
        help: "Take key slots that nothing vouches for; one you had removed may be among them."
    )
    var takesAllSlots = false

    @Option(
        help: ArgumentHelp(
            "For a vault in the keyring without backups: the passphrase of the new vault, the first line of a file that "
                + "only you may read.",
            valueName: "file"
        ),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Flag(name: .customLong("dry-run"), help: "Say what can be saved, and write nothing.")
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
            try RepairTexts(RepairFacts(repair, opened), report, vault).tell(context)
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
