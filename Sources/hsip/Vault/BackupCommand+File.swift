internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
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

extension BackupCommand {
    private static let passphraseFlag = "--new-passphrase-file FILE"

    /// Opens a vault in the keyring, with the key of its backups: the first backup makes it.
    ///
    /// A backup of a vault that cannot be kept from other programs would be no better than that vault: so it is a vault
    /// file, with a passphrase and a recovery code of its own.
    func copies(_ found: FoundVault, _ place: VaultPlace, _ context: Context) throws -> KeyringCopies {
        guard case .keyring(let store) = try context.open(found, at: place) else { throw StoreError.conflict }
        let copies = KeyringCopies(store)
        guard try !copies.hasKey() else {
            guard newPassphraseFile == nil, output == nil else {
                throw Failure.usage(
                    "the backups of this vault have a passphrase and a recovery code already",
                    hint: "hsip vault rekey  ends both for the backups that follow"
                )
            }
            return copies
        }
        try refuseMissing(context)
        context.output.say("Backups of a vault in the keyring are files with a passphrase of their own.")
        let passphrase = try context.newPassphrase(
            from: newPassphraseFile.map { NamedSecret(.file($0)) },
            allowsWeak: false,
            flag: Self.passphraseFlag
        )
        let recovery = try NewRecoveryCode()
        let made = try context.handOver(passphrase, recovery, to: try output.map(AbsolutePath.of))
        do throws(StoreError) {
            try context.during(.derivingKey) { () throws(StoreError) in
                try copies.makeKey(NewVault.slots(passphrase, recovery))
            }
        } catch {
            // A code that opens nothing is not left lying about; one that may open something is never lost.
            if error != .commitUnknown { made?.remove() }
            throw error
        }
        return copies
    }

    /// Options for the first backup of a vault in the keyring say nothing of a vault file.
    func refuseNewSecrets() throws(Failure) {
        guard newPassphraseFile == nil, output == nil else {
            throw Failure.usage("a backup of a vault file opens with the secrets of the vault")
        }
    }

    /// Finds what the first backup lacks before anybody is asked for anything.
    private func refuseMissing(_ context: Context) throws {
        if let output, Path.exists(output) { throw ConsoleError.fileExists }
        let canAsk = context.terminal.isAvailable && !unattended
        guard newPassphraseFile != nil || canAsk else {
            throw ConsoleError.inputNeeded(flag: Self.passphraseFlag)
        }
        guard output != nil || canAsk else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
    }
}
