internal import ArgumentParser
internal import Console
internal import FileStore
internal import RecordStore
internal import VaultCrypto
internal import VaultLifecycle

/// `hsip vault backup FILE`.
struct VaultBackup: Command {
    static let path = "vault backup"
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the encrypted vault file as it is now, and read the copy whole.",
        discussion: """
            Others may go on writing meanwhile. The copy is encrypted as the vault is: what opens the vault today opens \
            the copy, also after you have changed it. A vault in the keyring has no file; export that one.

              hsip vault backup /media/stick/vault-2026-11.backup
              hsip vault restore /media/stick/vault-2026-11.backup
            """
    )

    @Argument(help: "The file to write, of mode 0600.")
    var file: String

    @Flag(help: "Replace the file if it is there.")
    var force = false

    func run(_ context: Context) async throws {
        guard file != "-" else {
            throw Failure(
                .usage,
                code: "usage",
                message: "a backup is a file: it is read again when it is written"
            )
        }
        try NewFile.check(file, replaces: force)
        let target = try AbsolutePath.of(file)
        let place = try context.place()
        let found = try context.find(place)
        guard case .file = found else { throw RestoreCommand.inKeyring }
        // Also by another name.
        guard !Path.isSame(target, place.file) else {
            throw Failure(
                .usage,
                code: "usage",
                message: "that is the vault itself; a backup is another file"
            )
        }
        guard !Path.exists(file) || Path.isFile(file) else {
            throw Failure(
                .conflict,
                code: "alreadyExists",
                message: "what has this name is no ordinary file",
                hint: "hsip vault backup FILE  under another name"
            )
        }
        guard case .file(let store) = try context.open(found, at: place, OpenOptions(readOnly: true)) else {
            return
        }
        let report = try context.output.working("copying…") { () throws(StoreError) in
            try store.backUp(to: target, replaces: force)
        }
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
}
