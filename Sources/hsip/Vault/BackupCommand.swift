internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// `hsip vault backup`: one copy, copies by generations in a folder, or a look at copies.
struct BackupCommand: Command {
    static let path = "vault backup"
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the vault and check the backup.",
        discussion: """
            A backup opens with the vault's passphrase of that day. --to keeps the newest backups and \
            each month's last; with an unlocked agent it needs no passphrase.

              hsip vault backup --to /media/stick/hsip
            """
    )

    @Argument(
        help: "The file to write; with --verify, the backups to read.",
        completion: .file()
    )
    var files: [String] = []

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Keep rotated backups in this folder.", valueName: "dir"),
        completion: .directory
    )
    var folder: String?

    @Option(help: ArgumentHelp("How many of the newest backups to keep (default: 7).", valueName: "n"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "Keep the last backup of this many months (default: 12).",
            valueName: "m"
        )
    )
    var monthly: Int?

    @Flag(help: "Read backups whole, by open vault or their passphrase.")
    var verify = false

    @Option(
        name: .customLong("drill"),
        help: ArgumentHelp("Test that the code on paper can restore a backup.", valueName: "file"),
        completion: .file()
    )
    var trial: String?

    @Option(
        help: ArgumentHelp(
            "What --drill tests: recovery (the code) or passphrase.",
            valueName: "secret"
        )
    )
    var with: String?

    @Flag(
        name: .customLong("forget-old"),
        help: "Remove backups in the folder from before the last rekey."
    )
    var forgetsOld = false

    @Option(
        help: ArgumentHelp(
            "Keyring: read the first backup's passphrase from here.",
            valueName: "file"
        ),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Keyring: write the first backup's recovery code here.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Never ask; read only with an open agent or keyring.")
    var unattended = false

    mutating func validate() throws { output = NewFile.named(output) }

    func run(_ context: Context) async throws {
        guard newPassphraseFile == nil && output == nil || trial == nil && !verify && !forgetsOld else {
            throw Failure.usage("--new-passphrase-file and -o work only when hsip makes a backup")
        }
        guard !unattended || folder != nil && !forgetsOld else {
            throw Failure.usage("--unattended needs --to DIR", hint: "--to DIR")
        }
        if unattended { context.globals.leavesLocked = true }
        do {
            if let trial {
                guard files.isEmpty, folder == nil, !verify, !force, !forgetsOld, keep == nil, monthly == nil
                else {
                    throw Failure.usage("--drill tries one backup, and makes none")
                }
                return try tryOut(trial, context)
            }
            guard with == nil else { throw Failure.usage("--with needs --drill") }
            switch (verify, folder) {
            case (true, nil):
                guard !files.isEmpty, !force, !forgetsOld, keep == nil, monthly == nil else {
                    throw Failure.usage("name the backups to read", hint: "hsip vault backup --verify FILE…")
                }
                try await verifyAll(context)
            case (false, let folder?):
                guard files.isEmpty, !force else {
                    throw Failure.usage("--to names the folder, and hsip names the copies")
                }
                if forgetsOld {
                    guard keep == nil, monthly == nil else {
                        throw Failure.usage("--forget-old excludes --keep and --monthly")
                    }
                    try forgetOld(in: folder, context)
                } else {
                    try await backUp(into: folder, context)
                }
            case (false, nil):
                guard files.count == 1, let file = files.first, !forgetsOld, keep == nil, monthly == nil
                else {
                    throw Failure.usage(
                        "name a file for the backup, or a folder with --to",
                        hint: "FILE, or --to DIR"
                    )
                }
                try backUp(to: file, context)
            case (true, _?):
                throw Failure.usage("--verify reads backups, and --to makes one")
            }
        } catch let error as VaultBackup.Refusal {
            throw Self.explain(error)
        } catch let error as FolderBackup.Refusal {
            throw Self.explain(error, context)
        } catch let error as RestoreError {
            throw RestoreCommand.explain(error, context)
        }
    }

    static func explain(_ refusal: FolderBackup.Refusal, _ context: Context) -> Failure {
        switch refusal {
        case .noPlace(let path):
            Failure(
                .backupPlaceMissing,
                "\(context.path(path).shown) does not exist; is its disk connected?",
                hint: "mkdir -p DIR  if it was never made"
            )
        case .notAFolder(let path):
            Failure.usage("\(context.path(path).shown) is not a folder", hint: "hsip vault backup FILE")
        case .noNewerCopy:
            Failure(
                .denied,
                "the folder has no whole backup with the vault's current key; nothing was removed",
                hint: "hsip vault backup --to DIR"
            )
        }
    }
}
