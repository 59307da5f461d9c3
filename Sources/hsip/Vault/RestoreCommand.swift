internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultLifecycle

/// `hsip vault restore FILE`.
struct RestoreCommand: Command {
    static let path = "vault restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the vault by a backup; keep the old vault.",
        discussion: """
            Use the passphrase or recovery code the backup was made with. hsip reads the whole backup \
            before it changes anything. If this machine has seen a newer state of the vault, add \
            --accept-rollback; without a file, it accepts the vault on disk as it is. Renew earlier \
            sessions before you send anything.

              hsip vault restore vault-2026-11.backup
              hsip vault restore vault-2026-11.backup --shares
            """
    )

    static let inKeyring = Failure(
        .notForKeyring,
        "this vault is in the keyring and has no file",
        hint: "hsip doctor --fix  moves unreadable records aside"
    )

    @Argument(help: "The backup; none to accept the vault on disk.", completion: .file())
    var file: String?

    @Flag(help: "Replace an existing vault; hsip keeps it beside the new one.")
    var force = false

    @Flag(
        name: .customLong("accept-rollback"),
        help: "Restore even if this machine has seen a newer state of the vault."
    )
    var acceptsRollback = false

    func run(_ context: Context) async throws {
        let place = try context.place()
        guard let file else {
            try context.explaining { _ = try context.config(place).record(of: place.key) }
            return try takeAsItIs(place, context)
        }
        guard file != "-" else {
            throw Failure.usage("hsip reads a backup more than once; name a file instead of -")
        }
        do {
            let record = try context.explaining { try context.config(place).record(of: place.key) }
            if let record, record.backend == .secretService {
                return try self.restore(file, over: record, place, context)
            }
            let restore = try context.explaining {
                try VaultRestore.begin(file, at: context.locator(place), replaces: force, now: context.now)
            }
            let (opened, secret) = try open(restore, place, context)
            let passphrase = try newPassphrase(context)
            if let kept = restore.kept {
                let question = "Replace the vault by the backup? The old vault is kept as \(kept)."
                guard try context.agrees(question) else { throw ConsoleError.refused }
            }
            let outcome = try restore.place(
                opened,
                acceptsRollback: acceptsRollback,
                showing: context,
                now: context.now
            )
            // Report the restored vault before anything else takes time, or is interrupted.
            try tell(outcome, place, context)
            if let passphrase { add(passphrase, secret, place, context) }
            try succeed(outcome, place, context)
        } catch let error as StoreError {
            throw context.sharesOpenNothing(error) ?? Self.explain(error)
        } catch let error as RestoreError {
            throw Self.explain(error, context)
        }
    }

    /// Opens the backup by what opened the vault when it was made.
    private func open(
        _ restore: borrowing VaultRestore,
        _ place: VaultPlace,
        _ context: Context
    ) throws -> (backup: OpenedCopy, secret: Unlock) {
        let question = "Passphrase or recovery code of the backup, as it was when the backup was made"
        guard let source = try context.secretSource(of: place, asking: question) else {
            throw StoreError.locked
        }
        do throws(OpeningError) {
            return try restore.open(by: source, context.unlocker(place))
        } catch {
            return try context.explaining { throw error }
        }
    }

    /// What stands in the way of a restore, and the way out.
    static func explain(_ error: RestoreError, _ context: Context) -> Failure {
        switch error {
        case .inKeyring: inKeyring
        case .inUse:
            Failure(
                .alreadyExists,
                "the vault is in the keyring",
                hint: "--force  replaces the vault by the backup and keeps a copy in a file"
            )
        case .otherVault:
            Failure(
                .conflict,
                "this is a backup of another vault than the one in the keyring",
                hint: "hsip --vault NAME vault restore FILE  with another name"
            )
        case .isMoving:
            Failure(
                .conflict,
                "a move of the vault was begun and has not ended",
                hint: "hsip vault migrate  shows it"
            )
        case .noBackup: Failure(ConsoleError.noSuchFile)
        case .isVault:
            Failure.usage("this file is the vault itself, not a backup")
        case .hasLog(let path):
            Failure(
                .readOnlyWithLog,
                "this is a vault with a log beside it, not a backup",
                hint: "hsip --vault \(ShellWord.path(path)) vault backup FILE"
            )
        case .twin(let name):
            Failure(
                .alreadyExists,
                "this is a backup of the vault \(context.output.display.cell(name)), which is here; a restore would "
                    + "make a second one of it",
                hint: "hsip --vault \(ShellWord.quoted(name)) vault restore FILE --force"
            )
        case .strayLog(let path):
            Failure(
                .alreadyExists,
                "the vault's file is gone, but its log is there, with commits that only it has",
                hint: "put the file back beside it, or give the log another name: \(context.path(path).shown)"
            )
        case .occupied(let path):
            Failure(
                .alreadyExists,
                "there is a vault at \(context.path(path).shown)",
                hint: "--force  replaces the vault by the backup and keeps a copy"
            )
        }
    }

    private static func explain(_ error: StoreError) -> Failure {
        var failure = Failure(error)
        switch error {
        case .rollback(let found, let expected) where found.epoch < expected.epoch:
            failure.message =
                "the backup is older than the vault's last move or new key, so it cannot replace the vault"
            failure.hint = "hsip --vault FILE --old-copy secret list  reads it"
        case .rollback, .fork:
            failure.message =
                "a newer state of this vault was seen here, and the restore would undo it"
            failure.hint = "--accept-rollback"
        case .corrupt, .tampered, .schemaTampered:
            failure.message = "the backup is damaged or was tampered with; nothing was changed"
            failure.hint = "hsip vault restore FILE  with another backup"
        default: break
        }
        return failure
    }

    private func tell(_ outcome: VaultRestore.Outcome, _ place: VaultPlace, _ context: Context) throws {
        let report = outcome.report
        var sheet = FactSheet()
        sheet.add("Vault", context.path(place.file), Cell("sound", tone: .good))
        sheet.add("Generation", "\(report.position.epoch).\(report.generation)")
        sheet.add("Records", "\(report.records)")
        sheet.add("Slots", "\(report.slots)")
        sheet.add("Opens with", "the passphrase or recovery code of the backup")
        if let kept = outcome.kept { sheet.add("Kept", context.path(kept)) }
        try context.output.facts(sheet)
        tellWhatFollows(isCarried: outcome.isCarried, context)
    }

    private func succeed(_ outcome: VaultRestore.Outcome, _ place: VaultPlace, _ context: Context) throws {
        let report = outcome.report
        try context.output.succeed([
            "vault": .vault(place, id: outcome.vaultID, .file), "kept": .optional(outcome.kept),
            "keyEpoch": .integer(Int64(report.position.epoch)),
            "backupGeneration": .integer(Int64(clamping: outcome.backup.generation)),
            "generation": .integer(Int64(clamping: report.generation)),
            "records": .integer(Int64(report.records)), "slots": .integer(Int64(report.slots)),
            "carried": .bool(outcome.isCarried),
        ])
    }
}
