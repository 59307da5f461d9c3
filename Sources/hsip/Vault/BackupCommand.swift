internal import ArgumentParser
internal import CommandKit
internal import Console
internal import FileStore
internal import RecordStore
internal import VaultCrypto
internal import VaultLifecycle

/// `hsip vault backup FILE`.
struct BackupCommand: Command {
    static let path = "vault backup"
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the encrypted vault file as it is now, and read the copy whole.",
        discussion: """
            Other programs can write meanwhile. The copy is encrypted as the vault is: what opens the \
            vault today opens the copy, also after you have changed it. A vault in the keyring has no \
            file; export that one.

              hsip vault backup /media/stick/vault-2026-11.backup
              hsip vault restore /media/stick/vault-2026-11.backup
            """
    )

    @Argument(help: "The file to write, of mode 0600.", completion: .file())
    var file: String

    @Flag(help: "Replace the file if it is there.")
    var force = false

    func run(_ context: Context) async throws {
        guard file != "-" else {
            throw Failure.usage("a backup is a file: it is read again when it is written")
        }
        try NewFile.check(file, replaces: force)
        let place = try context.place()
        let found = try context.find(place)
        let backup: VaultBackup
        do {
            backup = try VaultBackup(file, of: found, at: place, replaces: force)
        } catch let error as VaultBackup.Refusal {
            throw Self.explain(error)
        }
        guard case .file(let store) = try context.open(found, at: place, OpenOptions(readOnly: true)) else {
            return
        }
        let (target, report) = (backup.target, try backup.write(store, showing: context))
        var sheet = FactSheet()
        let state = report.damaged.isEmpty ? Cell("sound", tone: .good) : Cell("damaged", tone: .danger)
        sheet.add("Backup", context.path(target), state)
        sheet.add("Generation", "\(report.position.epoch).\(report.generation)")
        sheet.add("Records", "\(report.records)")
        sheet.add("Slots", "\(report.slots)")
        try context.output.facts(sheet)
        try context.refuse(report.damaged, "the backup has it as it is") { count in
            "the backup is written with \(count); keep older ones"
        }
        try context.output.succeed([
            "vault": .vault(place, .file(store)), "file": .text(target),
            "keyEpoch": .integer(Int64(report.position.epoch)),
            "generation": .integer(Int64(clamping: report.generation)),
            "records": .integer(Int64(report.records)), "slots": .integer(Int64(report.slots)),
            "headTagBase64": .base64(report.headTag),
        ])
    }
    private static func explain(_ refusal: VaultBackup.Refusal) -> Failure {
        switch refusal {
        case .inKeyring: RestoreCommand.inKeyring
        case .isVault:
            Failure.usage("that is the vault itself; a backup is another file")
        case .notAFile:
            Failure(
                .alreadyExists,
                "what has this name is no ordinary file",
                hint: "hsip vault backup FILE  under another name"
            )
        }
    }
}
