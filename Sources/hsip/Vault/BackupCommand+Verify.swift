internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

extension BackupCommand {
    /// Reads all of each backup, with the keys of the vault that the agent has open or by key slots of its own, and says
    /// how far it is behind the vault.
    func verifyAll(_ context: Context) async throws {
        let place = try context.place()
        let backups = try context.explaining { try files.map { try AbsolutePath.of($0) } }
        var results: [String: Result<ReadBackup, StoreError>] = [:]
        // What the keys of a vault in the keyring open is read here: the agent reads files for a vault file.
        if case .file(let overview)? = try? context.find(place), let vault = try await vaultOfAgent(context) {
            for path in backups {
                results[path] = try await Self.readBackup(path, by: vault, overview.vaultID)
            }
        }
        try readByKeyring(backups.filter { results[$0] == nil }, place, context, &results)
        let rest = backups.filter { results[$0] == nil }
        if !rest.isEmpty { try verify(rest, place, context, &results) }
        try tell(backups.compactMap { path in results[path].map { (path, $0) } }, place, context)
    }

    /// Reads backups with the key that a vault in the keyring has for them, unless a secret is named; those that it does not
    /// open stay for one of their own.
    private func readByKeyring(
        _ backups: [String],
        _ place: VaultPlace,
        _ context: Context,
        _ results: inout [String: Result<ReadBackup, StoreError>]
    ) throws {
        switch try context.unlockSource() {
        case .named?, .shares?, .device?: return
        case .terminal?, nil: break
        }
        guard !backups.isEmpty, let found = try? context.find(place), case .keyring = found,
            case .keyring(let store)? = try? context.open(found, at: place)
        else { return }
        let copies = KeyringCopies(store)
        for path in backups {
            do throws(StoreError) {
                let report = try copies.readCopy(path)
                results[path] =
                    report.damaged.first.map { .failure(.tampered($0.tampered)) }
                    ?? .success(ReadBackup(report, of: store.vaultID))
            } catch {
                if error != .wrongSecret, error != .noSuchSlot { results[path] = .failure(error) }
            }
        }
    }

    /// Opens backups by their own key slots: one secret for all of them.
    private func verify(
        _ backups: [String],
        _ place: VaultPlace,
        _ context: Context,
        _ results: inout [String: Result<ReadBackup, StoreError>]
    ) throws {
        guard let source = try context.secretSource(of: place) else { throw StoreError.locked }
        if !source.isNamed {
            context.output.say("Use the passphrase or recovery code that the backups were made with.")
        }
        let unlocker = context.unlocker(place)
        var secret: Unlock?
        for path in backups {
            if let secret {
                results[path] = read(path, secret, unlocker)
                continue
            }
            do {
                let reading = try BackupReading(path)
                let (report, typed) = try context.explaining {
                    try unlocker.trying(source) { secret throws(StoreError) in
                        try unlocker.derivingKey(secret) { () throws(StoreError) in
                            try reading.verify(secret)
                        }
                    }
                }
                secret = typed
                results[path] = .success(ReadBackup(reading, report))
            } catch let error as StoreError {
                // A secret that was named is not named again for the next one.
                guard error != .wrongSecret, error != .noSuchSlot else { throw error }
                results[path] = .failure(error)
            }
        }
        guard let live = secret.flatMap({ live(place, $0, unlocker, context) }) else { return }
        for path in backups {
            guard case .success(var backup)? = results[path] else { continue }
            backup.newer = newer(backup, live)
            results[path] = .success(backup)
        }
    }

    /// What went wrong with a backup that was named: the sentences of the store are about the vault itself.
    static func explain(ofBackup error: StoreError) -> Failure {
        var failure = Failure(error)
        switch error {
        case .notFound:
            failure = Failure(ConsoleError.noSuchFile)
        case .corrupt, .tampered, .schemaTampered, .notAVault:
            failure.message = "the backup is damaged, or hsip did not make it"
            failure.hint = "another backup, and: hsip vault backup --to DIR"
        case .readOnlyWithLog:
            failure.message = "this is a vault with a log beside it, not a backup"
            failure.hint = nil
        default: break
        }
        return failure
    }

    /// A backup that was opened and read.
    struct ReadBackup {
        let vaultID: [UInt8]
        let modified: Int64
        let position: Position
        let headTag: [UInt8]
        let records: Int
        let slots: Int
        /// Records of the vault that it does not have, or not in this version; nil where the vault was not open, or is
        /// another one.
        var newer: Int?

        init(_ reading: BackupReading, _ report: VerifyReport) {
            (vaultID, modified) = (reading.vaultID, reading.modified)
            (position, headTag) = (report.position, report.headTag)
            (records, slots) = (report.records, report.slots)
        }

        init(_ report: CopyReport, of vaultID: [UInt8]) {
            (self.vaultID, modified) = (vaultID, report.modified)
            (position, headTag) = (report.position, report.headTag)
            (records, slots, newer) = (report.records, report.slots, report.newerHere)
        }
    }

    private func read(
        _ path: String,
        _ secret: Unlock,
        _ unlocker: VaultUnlocker
    ) -> Result<ReadBackup, StoreError> {
        Result { () throws(StoreError) in
            let reading = try BackupReading(path)
            let report = try unlocker.derivingKey(secret) { () throws(StoreError) in
                try reading.verify(secret)
            }
            return ReadBackup(reading, report)
        }
    }

    /// The vault as it is now, where the same secret opens it.
    private func live(
        _ place: VaultPlace,
        _ secret: Unlock,
        _ unlocker: VaultUnlocker,
        _ context: Context
    ) -> FileStore? {
        guard let found = try? context.find(place), case .file = found else { return nil }
        return try? unlocker.open(with: secret, OpenOptions(readOnly: true))
    }

    /// Records of the vault that a backup does not have, or not in this version; nil for one of another vault.
    private func newer(_ backup: ReadBackup, _ live: FileStore) -> Int? {
        guard live.vaultID == backup.vaultID else { return nil }
        let count = try? live.read { reader throws(StoreError) in
            try reader.list(nil).count { $0.revision > backup.position.generation }
        }
        return count
    }

    private func tell(
        _ results: [(path: String, result: Result<ReadBackup, StoreError>)],
        _ place: VaultPlace,
        _ context: Context
    ) throws {
        var table = Table([
            Column("backup"), Column("state"), Column("generation", .right), Column("records", .right),
            Column("newer here", .right), Column("written"),
        ])
        var list: [JSONValue] = []
        var failures: [StoreError] = []
        for (path, result) in results {
            switch result {
            case .success(let backup):
                if backup.newer != nil {
                    BackupMemory.note(
                        path,
                        backup.position,
                        backup.headTag,
                        of: place,
                        backup.vaultID,
                        now: context.now
                    )
                }
                table.add([
                    context.path(path), Cell("sound", tone: .good),
                    Cell("\(backup.position.epoch).\(backup.position.generation)"), Cell("\(backup.records)"),
                    Cell(backup.newer.map { "\($0)" } ?? "?"), Cell(Times.rfc3339(backup.modified)),
                ])
                list.append([
                    "file": .text(path), "ok": .bool(true), "vaultId": .text(Hex.encode(backup.vaultID)),
                    "writtenAt": .time(backup.modified),
                    "keyEpoch": .integer(Int64(backup.position.epoch)),
                    "generation": .integer(Int64(clamping: backup.position.generation)),
                    "records": .integer(Int64(backup.records)), "slots": .integer(Int64(backup.slots)),
                    "newerHere": .optional(backup.newer.map(Int64.init)),
                ])
            case .failure(let error):
                failures.append(error)
                let failure = Self.explain(ofBackup: error)
                table.add([context.path(path), Cell(failure.message, tone: .danger)])
                list.append(["file": .text(path), "ok": .bool(false), "code": .text(failure.name)])
            }
        }
        try context.output.table(table)
        guard let first = failures.first else {
            return try context.output.succeed(["verified": .list(list)])
        }
        var failure = Self.explain(ofBackup: first)
        failure.message = "backups that cannot be restored: \(failures.count) of \(results.count)"
        failure.hint = "hsip vault backup --to DIR  makes a new one"
        failure.details = ["verified": .list(list)]
        throw failure
    }
}
