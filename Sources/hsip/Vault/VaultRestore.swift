internal import ArgumentParser
internal import Console
internal import FileStore
internal import Programs
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// `hsip vault restore FILE`.
struct VaultRestore: Command {
    static let path = "vault restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of the vault; what is there is kept as a copy.",
        discussion: """
            The backup is opened by what opened the vault when it was made, and read whole before anything is touched. \
            Where something newer of this vault was seen here, --accept-rollback says that this is meant. Sessions of \
            before are renewed before anything is sent under them.

            What the replaced vault knows of ended keys, sessions and hosts is kept. Where it cannot be read, hsip \
            status lists the contacts and hosts that have to be compared again.

            With --accept-rollback and without a file, the vault is taken as it lies here: a file or keyring that \
            another program put back, or a copy of one that goes on elsewhere.

              hsip vault restore vault-2026-11.backup
              hsip vault restore vault-2026-11.backup --force --accept-rollback
              hsip vault restore --accept-rollback
            """
    )

    static let inKeyring = Failure(
        .unavailable,
        code: "notForKeyring",
        message: "this vault lies in the keyring, and has no file to copy",
        hint: "hsip vault export --to hsip -o FILE"
    )

    @Argument(help: "What hsip vault backup wrote; none for the vault as it lies here.")
    var file: String?

    @Flag(help: "Also where there is a vault: a copy of it is kept beside it.")
    var force = false

    @Flag(
        name: .customLong("accept-rollback"),
        help: "Also where something newer of this vault was seen here."
    )
    var acceptsRollback = false

    func run(_ context: Context) async throws {
        let place = try context.place()
        let config = context.config(place)
        let record = try context.explaining { try config.record(of: place.key) }
        guard let file else { return try takeAsItIs(place, context) }
        guard record?.backend != .secretService else { throw Self.inKeyring }
        let kept = try self.kept(place, context)
        let path = try source(file, place)
        try context.explaining { try config.checkWritable() }
        let restoring: Restoring
        do throws(StoreError) {
            restoring = try Restoring.begin(
                path,
                at: place.paths,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        } catch {
            throw Self.explain(error)
        }
        try refuseTwin(of: restoring.vaultID, place, context)
        let opened: Restoring.Opened
        do {
            opened = try open(restoring, place, context)
        } catch let error as StoreError {
            throw Self.explain(error)
        }
        if let kept {
            let question = "Put the backup in the place of the vault? What is there is kept as \(kept)."
            guard try context.agrees(question) else { throw ConsoleError.refused }
        }
        let id = restoring.vaultID
        let further = restoring.slots.contains(.secretService) ? Self.further(id, place, context) : nil
        let (report, isCarried): (VerifyReport, Bool)
        do throws(StoreError) {
            (report, isCarried) = try restoring.place(
                opened,
                keepingAs: kept,
                further: further,
                acceptsRollback: acceptsRollback
            ) { newer, copy, isWhole in
                Carrying.changes(
                    from: newer,
                    to: copy,
                    isWhole: isWhole,
                    now: UInt64(clamping: context.now)
                )
            }
        } catch {
            throw Self.explain(error)
        }
        if record?.id != id || record?.keeping != .file(path: place.file) {
            let fresh = VaultRecord(id: id, path: place.file)
            try context.explaining {
                try config.revise(place.key) { fresh.replacing($0) }
            }
        }
        try tell(report, opened.report, isCarried: isCarried, id: id, kept, place, context)
    }

    /// The backup, which is a file and not the vault itself.
    private func source(_ file: String, _ place: VaultPlace) throws -> String {
        guard file != "-" else {
            throw Failure(.usage, code: "usage", message: "a backup is a file, and is read more than once")
        }
        let path = try AbsolutePath.of(file)
        guard Path.exists(path) else { throw Failures.explain(ConsoleError.noSuchFile) }
        guard !Path.isSame(path, place.file) else {
            throw Failure(.usage, code: "usage", message: "that is the vault itself, not a backup of it")
        }
        guard Path.size(path + "-wal") ?? 0 == 0 else {
            throw Failure(
                .unavailable,
                code: "readOnlyWithLog",
                message: "this is a vault with a log beside it, not a backup",
                hint: "hsip --vault \(ShellWord.path(path)) vault backup FILE"
            )
        }
        return path
    }

    /// Two files of one vault are not for one machine: what the one commits makes the other an old copy.
    private func refuseTwin(of id: [UInt8], _ place: VaultPlace, _ context: Context) throws {
        let records = try context.explaining {
            try context.config(place).records()
        }
        let twins = records.filter { name, record in
            guard name != place.key, record.id == id else { return false }
            if case .file(let path) = record.keeping { return Path.exists(path) }
            return true
        }
        guard let twin = twins.keys.min() else { return }
        let shown = context.output.display.cell(twin)
        throw Failure(
            .conflict,
            code: "alreadyExists",
            message:
                "the vault \(shown) is the one that this is a backup of; beside it there would be two of it",
            hint: "hsip --vault \(ShellWord.quoted(twin)) vault restore FILE --force"
        )
    }

    /// Where the copy of what is there goes; nil where nothing is.
    private func kept(_ place: VaultPlace, _ context: Context) throws -> String? {
        guard Path.exists(place.file) else {
            guard Path.size(place.file + "-wal") ?? 0 == 0 else {
                let log = context.path(place.file + "-wal")
                throw Failure(
                    .conflict,
                    code: "alreadyExists",
                    message: "the vault's file is gone, but its log is there, with commits that only it has",
                    hint: "put the file back beside it, or give the log another name: \(log.shown)"
                )
            }
            return nil
        }
        guard force else {
            throw Failure(
                .conflict,
                code: "alreadyExists",
                message: "there is a vault at \(context.path(place.file).shown)",
                hint: "--force  puts the backup in its place, and keeps a copy of it"
            )
        }
        let time = Times.rfc3339(context.now).filter { !"-:".contains($0) }
        var name = "\(place.file).before-\(time)"
        while Path.exists(name) { name += "-2" }
        return name
    }

    /// Opens the backup by what opened the vault when it was made.
    private func open(
        _ restoring: borrowing Restoring,
        _ place: VaultPlace,
        _ context: Context
    ) throws -> Restoring.Opened {
        guard let source = try context.secretSource(of: place) else { throw StoreError.locked }
        if !source.isNamed {
            context.output.say("What opened the vault when the backup was made, please.")
        }
        let unlocker = context.unlocker(place)
        return try context.explaining {
            try unlocker.trying(source) { secret throws(StoreError) in
                try unlocker.derivingKey(secret) { () throws(StoreError) in try restoring.open(secret) }
            }
        }.0
    }

    /// What the keyring remembers of this vault, where it answers.
    private static func further(_ id: [UInt8], _ place: VaultPlace, _ context: Context) -> AnchorText? {
        guard let service = try? context.locator(place).connect(.probe) else { return nil }
        return (try? KeyringCompanion(service, id))?.anchor
    }

    private static func explain(_ error: StoreError) -> Failure {
        var failure = Failures.explain(error)
        switch error {
        case .rollback(let found, let expected) where found.epoch < expected.epoch:
            failure.message =
                "the backup is from before the vault was moved: its key counts no more on this machine"
            failure.hint = "hsip vault export and import, on a machine that never saw the newer vault"
        case .rollback, .fork:
            failure.message =
                "something newer of this vault than the backup was seen here, and would be undone"
            failure.hint = "--accept-rollback"
        case .corrupt, .tampered, .schemaTampered:
            failure.message = "the backup is damaged or was tampered with; nothing was changed"
            failure.hint = "hsip vault restore FILE  with another backup"
        default: break
        }
        return failure
    }

    private func tell(
        _ report: VerifyReport,
        _ backup: VerifyReport,
        isCarried: Bool,
        id: [UInt8],
        _ kept: String?,
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        var sheet = FactSheet()
        sheet.add("Vault", context.path(place.file), Cell("sound", tone: .good))
        sheet.add("Generation", "\(report.position.epoch).\(report.generation)")
        sheet.add("Records", "\(report.records)")
        sheet.add("Slots", "\(report.slots)")
        if let kept { sheet.add("Kept", context.path(kept)) }
        try context.output.facts(sheet)
        tellWhatFollows(isCarried: isCarried, context)
        try context.output.succeed([
            "vault": .vault(place, id: id, .file), "kept": .optional(kept),
            "keyEpoch": .integer(Int64(report.position.epoch)),
            "backupGeneration": .integer(Int64(clamping: backup.generation)),
            "generation": .integer(Int64(clamping: report.generation)),
            "records": .integer(Int64(report.records)), "slots": .integer(Int64(report.slots)),
            "carried": .bool(isCarried),
        ])
    }
}
