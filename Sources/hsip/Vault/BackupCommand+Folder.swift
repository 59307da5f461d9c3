internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

extension BackupCommand {
    static let badRetention = Failure.usage(
        "--keep needs 1 to \(Retention.maximum), --monthly 0 to \(Retention.maximum)"
    )

    /// Copies by generations in a folder.
    func backUp(into folder: String, _ context: Context) async throws {
        guard let retention = Retention(newest: keep ?? 7, monthly: monthly ?? 12) else {
            throw Self.badRetention
        }
        let place = try context.place()
        let found = try context.find(place)
        let backup = try FolderBackup(folder, of: found, at: place)
        let outcome: FolderBackup.Outcome
        do {
            outcome = try await run(backup, of: found, place, keeping: retention, context)
        } catch is StoreError where !Path.isFolder(backup.path) {
            // A disk that was pulled out meanwhile; what went wrong was no fault of the vault.
            throw FolderBackup.Refusal.noPlace(path: backup.path)
        }
        let made = outcome.made
        try context.output.facts(sheet(outcome, context))
        tell(outcome, folder: backup.path, context)
        try context.refuse(made.damaged, "the backup has the damage, too") { count in
            "the backup has \(count); older ones stay"
        }
        try context.output.succeed([
            "vault": .vault(place, id: found.vaultID, found.backend), "file": .text(made.copy.path),
            "keyEpoch": .integer(Int64(made.copy.name.epoch)),
            "generation": .optional(made.generation.map { Int64(clamping: $0) }),
            "records": .integer(Int64(made.records)), "slots": .integer(Int64(made.slots)),
            "headTagBase64": .base64(made.copy.tag), "written": .bool(made.isNew),
            "check": .text(made.check.rawValue),
            "removed": .list(outcome.removed.map { .text($0) }),
            "kept": .optional(outcome.left.map(Int64.init)), "sameDisk": .bool(outcome.isOnSameDisk),
        ])
    }

    /// Makes the copy by the agent, which has the vault open, or else here; of the keyring always here, without a secret.
    private func run(
        _ backup: FolderBackup,
        of found: FoundVault,
        _ place: VaultPlace,
        keeping retention: Retention,
        _ context: Context
    ) async throws -> FolderBackup.Outcome {
        if case .keyring = found {
            let copies = try copies(found, place, context)
            return try backup.run(copies, keeping: retention, showing: context, now: context.now)
        }
        try refuseNewSecrets()
        if let vault = try await vaultOfAgent(context) {
            do {
                return try await backup.run(
                    readingBy: { try await Self.read($0, by: vault) },
                    keeping: retention,
                    showing: context,
                    now: context.now
                )
            } catch  where Self.isOfAgent(error) {
                // An agent that is older, or was locked meanwhile: as if there were none.
            }
        }
        let store = try open(found, place, context)
        return try backup.run(store, keeping: retention, showing: context, now: context.now)
    }

    /// The vault with its keys; nil where there is no secret and no one to ask for one.
    private func open(_ found: FoundVault, _ place: VaultPlace, _ context: Context) throws -> FileStore? {
        do {
            let opened = try context.open(found, at: place, OpenOptions(readOnly: true))
            if case .file(let store) = opened { return store }
            return nil
        } catch StoreError.locked {
            return nil
        } catch let failure as Failure where failure.name == ErrorName.locked.rawValue {
            // The same, while the agent has the vault open.
            return nil
        }
    }

    private func sheet(_ outcome: FolderBackup.Outcome, _ context: Context) -> FactSheet {
        let made = outcome.made
        let state =
            switch made.check {
            case .full: Cell("sound", tone: .good)
            case .structure: Cell("not read", tone: .soon)
            case .damaged: Cell("damaged", tone: .danger)
            }
        var sheet = FactSheet()
        sheet.add("Backup", context.path(made.copy.path), state)
        if !made.isNew { sheet.add("Unchanged", "nothing was written") }
        let generation = made.generation.map { "\($0)" } ?? "?"
        sheet.add("Generation", "\(made.copy.name.epoch).\(generation)")
        sheet.add("Records", "\(made.records)")
        sheet.add("Slots", "\(made.slots)")
        if let left = outcome.left { sheet.add("Kept", "\(left)") }
        if !outcome.removed.isEmpty { sheet.add("Removed", "\(outcome.removed.count)") }
        return sheet
    }

    private func tell(_ outcome: FolderBackup.Outcome, folder: String, _ context: Context) {
        if outcome.made.check == .structure {
            context.output.warn(
                Warning(
                    "backupUnchecked",
                    "the vault is locked, so only the structure of the backup was checked; no older backup was removed",
                    hint: "hsip vault backup --to \(ShellWord.path(folder))  with the passphrase reads it"
                )
            )
        }
        if outcome.isOnSameDisk {
            context.output.warn(
                Warning(
                    "backupSameDisk",
                    "the backup is on the same disk as the vault: both are lost together",
                    hint: "hsip vault backup --to DIR  on another disk"
                )
            )
        }
    }

    /// Lists the copies from before the vault's key changed, and removes them when that is agreed to.
    func forgetOld(in folder: String, _ context: Context) throws {
        let place = try context.place()
        let found = try context.find(place)
        let backup = try FolderBackup(folder, of: found, at: place)
        let old: [BackupCopy]
        switch found {
        case .keyring:
            guard case .keyring(let store) = try context.open(found, at: place) else {
                throw StoreError.conflict
            }
            old = try backup.fromOldKeys(KeyringCopies(store))
        case .file:
            guard let store = try open(found, place, context) else { throw StoreError.locked }
            old = try backup.fromOldKeys(store)
        }
        var removed: [String] = []
        if old.isEmpty {
            context.output.note("the folder has no backup from before the vault's key changed")
        } else {
            let lines = old.map { "  \(context.path($0.path).shown)" }
            let count = old.count == 1 ? "this copy" : "these \(old.count) copies"
            let question = context.question(
                "Remove \(count)? Their secrets still open them, and they show what the vault held.",
                after: lines
            )
            guard try context.agrees(question) else { throw ConsoleError.refused }
            removed = try backup.remove(old)
            context.output.note("removed: \(removed.count)")
        }
        try context.output.succeed([
            "vault": .vault(place, id: found.vaultID, found.backend),
            "removed": .list(removed.map { .text($0) }),
        ])
    }
}
