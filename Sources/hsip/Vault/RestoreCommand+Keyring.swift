internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultLifecycle

extension RestoreCommand {
    /// Puts a backup in the place of what the keyring has of the vault.
    func restore(
        _ file: String,
        over record: VaultRecord,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        let restore = try context.explaining {
            try KeyringRestore(
                file,
                over: record,
                at: context.locator(place),
                replaces: force,
                now: context.now
            )
        }
        guard let source = try context.secretSource(of: place) else { throw StoreError.locked }
        if !source.isNamed {
            context.output.say("Type the passphrase or recovery code of the backup.")
        }
        let opened = try context.explaining { try restore.open(by: source, context.unlocker(place)) }
        let question =
            "Replace the vault in the keyring by the backup? The old vault is kept as \(restore.kept)."
        guard try context.agrees(question) else { throw ConsoleError.refused }
        let outcome = try context.explaining {
            try restore.place(
                opened,
                context.patience,
                acceptsRollback: acceptsRollback,
                now: context.now
            )
        }
        try tell(outcome, opened.report, place, context)
    }

    private func tell(
        _ outcome: KeyringRestore.Outcome,
        _ backup: VerifyReport,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        var sheet = FactSheet()
        sheet.add("Vault", Cell("in the keyring"), Cell("sound", tone: .good))
        sheet.add("Generation", "\(outcome.position.epoch).\(outcome.position.generation)")
        sheet.add("Records", "\(outcome.records)")
        if let kept = outcome.kept { sheet.add("Kept", context.path(kept)) }
        try context.output.facts(sheet)
        if !outcome.damaged.isEmpty {
            let count = Plural.of(outcome.damaged.count, "record")
            context.output.note("\(count) of the old vault could not be read and was not kept")
        }
        tellWhatFollows(isCarried: outcome.isCarried, context)
        try context.output.succeed([
            "vault": .vault(place, id: outcome.vaultID, .secretService), "kept": .optional(outcome.kept),
            "keyEpoch": .integer(Int64(outcome.position.epoch)),
            "backupGeneration": .integer(Int64(clamping: backup.generation)),
            "generation": .integer(Int64(clamping: outcome.position.generation)),
            "records": .integer(Int64(outcome.records)), "slots": .null,
            "carried": .bool(outcome.isCarried),
        ])
    }
}
