internal import CommandKit
internal import Console
internal import FileStore
internal import RecordStore
internal import VaultCrypto
internal import VaultLifecycle

/// A backup in a file that was named.
extension BackupCommand {
    /// One copy, in the file that was named.
    func backUp(to file: String, _ context: Context) throws {
        guard file != "-" else {
            throw Failure.usage("a backup is a file: it is read again when it is written")
        }
        try NewFile.check(file, replaces: force)
        let place = try context.place()
        let found = try context.find(place)
        let backup = try VaultBackup(file, at: place, replaces: force)
        let report: VerifyReport
        let vault: JSONValue
        switch found {
        case .keyring:
            let copies = try copies(found, place, context)
            report = try backup.write(copies, showing: context, now: context.now)
            vault = .vault(place, .keyring(copies.store))
        case .file:
            try refuseNewSecrets()
            let opened = try context.open(found, at: place, OpenOptions(readOnly: true))
            guard case .file(let store) = opened else { throw StoreError.conflict }
            report = try backup.write(store, showing: context, now: context.now)
            vault = .vault(place, opened)
        }
        let target = backup.target
        var sheet = FactSheet()
        let state = report.damaged.isEmpty ? Cell("sound", tone: .good) : Cell("damaged", tone: .danger)
        sheet.add("Backup", context.path(target), state)
        sheet.add("Generation", "\(report.position.epoch).\(report.generation)")
        sheet.add("Records", "\(report.records)")
        sheet.add("Slots", "\(report.slots)")
        try context.output.facts(sheet)
        try context.refuse(report.damaged, "the backup has the damage, too") { count in
            "the backup is written with \(count); keep older ones"
        }
        try context.output.succeed([
            "vault": vault, "file": .text(target),
            "keyEpoch": .integer(Int64(report.position.epoch)),
            "generation": .integer(Int64(clamping: report.generation)),
            "records": .integer(Int64(report.records)), "slots": .integer(Int64(report.slots)),
            "headTagBase64": .base64(report.headTag),
        ])
    }

    static func explain(_ refusal: VaultBackup.Refusal) -> Failure {
        switch refusal {
        case .isVault:
            Failure.usage("this file is the vault itself; a backup needs another file")
        case .notAFile:
            Failure(
                .alreadyExists,
                "the path named for the backup is not an ordinary file",
                hint: "hsip vault backup FILE  under another name"
            )
        }
    }
}
