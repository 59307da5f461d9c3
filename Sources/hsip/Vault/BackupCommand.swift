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
        abstract: "Back up the vault and check the backup.",
        discussion: """
            The backup is encrypted like the vault: today's passphrase opens it, even if you change the \
            passphrase later. Backups of a vault in the keyring are vault files: the first asks for a \
            passphrase and shows a recovery code, which open all backups until the next hsip vault rekey.

            --to gives each backup a name and writes only if something changed. It keeps the newest \
            backups and the last of each month, and removes an older one only after it has read the new \
            one whole. While the agent has the vault open, --to and --verify need no passphrase. Without \
            both, hsip makes the backup, does not read its records and removes none.

              hsip vault backup /media/stick/vault-2026-11.backup
              hsip vault backup --to /media/stick/hsip --keep 7 --monthly 12
              hsip vault backup --verify /media/stick/hsip/*
              hsip vault backup --drill /media/stick/vault-2026-11.backup
              hsip vault restore /media/stick/vault-2026-11.backup
            """
    )

    @Argument(
        help: "The file to write (mode 0600); with --verify, the backups to read.",
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
            "For how many months to keep the month's last backup (default: 12).",
            valueName: "m"
        )
    )
    var monthly: Int?

    @Flag(help: "Read backups whole, with the open vault or their own passphrase.")
    var verify = false

    @Option(
        name: .customLong("drill"),
        help: ArgumentHelp("Test that a backup can be restored with the code on paper.", valueName: "file"),
        completion: .file()
    )
    var trial: String?

    @Option(
        help: ArgumentHelp(
            "With --drill: test the recovery code (recovery) or passphrase.",
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
            "First backup of a vault in the keyring: read its passphrase from this file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "First backup of a vault in the keyring: write the recovery code here.",
        completion: .file()
    )
    var output: String?

    @Flag(help: "Never ask; read only what an open agent or keyring can open.")
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
