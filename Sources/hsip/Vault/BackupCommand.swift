internal import ArgumentParser
internal import CommandKit
internal import Console
internal import FileStore
internal import JSON
internal import RecordStore
internal import VaultCrypto
internal import VaultLifecycle

/// `hsip vault backup`: one copy, copies by generations in a folder, or a look at copies.
struct BackupCommand: Command {
    static let path = "vault backup"
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the encrypted vault file as it is now, and read the copy whole.",
        discussion: """
            Other programs can write meanwhile. The copy is encrypted as the vault is: what opens the \
            vault today opens the copy, also after you have changed it. The backups of a vault in the keyring are \
            vault files: the first one asks for a passphrase and shows a recovery code, which open all of them until \
            the next hsip vault rekey.

            With --to each copy has a name of its own, and nothing is written where nothing has changed. The newest \
            copies stay, and the last of each month; an older one is removed only when the new copy was read \
            whole. While the agent has the vault open, it reads the copies, and no secret is needed for --to and \
            --verify. Without agent and secret the copy is made all the same, its records are not read, and no other \
            one is removed.

              hsip vault backup /media/stick/vault-2026-11.backup
              hsip vault backup --to /media/stick/hsip --keep 7 --monthly 12
              hsip vault backup --verify /media/stick/hsip/*
              hsip vault backup --drill /media/stick/vault-2026-11.backup
              hsip vault restore /media/stick/vault-2026-11.backup
            """
    )

    @Argument(
        help: "The file to write, of mode 0600; with --verify, the backups to read.",
        completion: .file()
    )
    var files: [String] = []

    @Flag(help: "Replace the file if it is there.")
    var force = false

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Keep copies by generations in this folder.", valueName: "dir"),
        completion: .directory
    )
    var folder: String?

    @Option(help: ArgumentHelp("How many of the newest copies stay (default: 7).", valueName: "n"))
    var keep: Int?

    @Option(
        help: ArgumentHelp("For how many months the last copy of each stays (default: 12).", valueName: "m")
    )
    var monthly: Int?

    @Flag(help: "Read all that is in backups, by the open vault or by key slots of their own.")
    var verify = false

    @Option(
        name: .customLong("drill"),
        help: ArgumentHelp("Try to restore a backup by the code on paper.", valueName: "file"),
        completion: .file()
    )
    var trial: String?

    @Option(help: ArgumentHelp("With --drill: recovery, or passphrase.", valueName: "secret"))
    var with: String?

    @Flag(
        name: .customLong("forget-old"),
        help: "Remove copies in the folder from before the vault's key changed."
    )
    var forgetsOld = false

    @Option(
        help: ArgumentHelp(
            "For the first backup of a vault in the keyring: its passphrase, the first line of a file that only "
                + "you may read.",
            valueName: "file"
        ),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "For the first backup of a vault in the keyring: write the recovery code to this file.",
        completion: .file()
    )
    var output: String?

    @Flag(help: "Ask for no secret: only what an open agent or a key slot in an open keyring opens is read.")
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
