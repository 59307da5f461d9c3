package import FileStore
package import RecordStore
internal import SecretServiceStore
internal import Text
internal import VaultCrypto
internal import VaultKit

/// The restore of a backup to the path of a vault.
///
/// `begin` checks everything that can be refused and copies the backup beside the vault. `open` reads the backup
/// whole. Only `place` changes the vault that is there.
package struct VaultRestore: ~Copyable {
    /// The result.
    package struct Outcome {
        /// What the restored vault contains now.
        package let report: VerifyReport
        /// What the backup contained.
        package let backup: VerifyReport
        package let vaultID: [UInt8]
        /// The path of the copy of the replaced vault; nil if there was no vault.
        package let kept: String?
        /// Whether the replaced vault's knowledge of ended keys, sessions and hosts was carried over.
        package let isCarried: Bool
    }

    /// The path of the copy of the vault that is replaced; nil if there is no vault.
    package let kept: String?
    private let locator: VaultLocator
    private let record: VaultRecord?
    private let restoring: Restoring

    /// Checks the vault's path and the backup, and copies the backup beside that path.
    ///
    /// - Parameters:
    ///   - file: The backup.
    ///   - locator: Names the vault.
    ///   - replaces: Whether an existing vault may be replaced.
    ///   - now: Unix seconds.
    /// - Returns: The restore, with the copy; nothing that was there has changed.
    /// - Throws: `RestoreError`; what reading and writing `config.json` throws; what `Restoring.begin`
    ///   throws.
    package static func begin(
        _ file: String,
        at locator: VaultLocator,
        replaces: Bool,
        now: Int64
    ) throws -> VaultRestore {
        let place = locator.place
        let record = try locator.config.record(of: place.key)
        guard record?.backend != .secretService else { throw RestoreError.inKeyring }
        let kept = try keptName(place, replaces: replaces, now)
        let path = try backup(file, place)
        try locator.config.checkWritable()
        let restoring = try Restoring.begin(
            path,
            at: place.paths,
            entropy: .system,
            now: SystemTime.milliseconds
        )
        try refuseTwin(of: restoring.vaultID, locator)
        return VaultRestore(kept: kept, locator: locator, record: record, restoring: restoring)
    }

    private init(kept: String?, locator: VaultLocator, record: VaultRecord?, restoring: consuming Restoring) {
        self.kept = kept
        self.locator = locator
        self.record = record
        self.restoring = restoring
    }

    /// Opens the backup with a secret that opened the vault when the backup was made, and reads everything in it.
    ///
    /// - Returns: The backup, and the secret that opened it.
    package borrowing func open(
        by source: any SecretSource,
        _ unlocker: VaultUnlocker
    ) throws(OpeningError) -> (backup: OpenedCopy, secret: Unlock) {
        try unlocker.trying(source) { secret throws(StoreError) in
            try unlocker.derivingKey(secret) { () throws(StoreError) in try restoring.open(secret) }
        }
    }

    /// Makes the backup the vault, with a position above everything seen of this vault, and records it in `config.json`.
    ///
    /// - Parameters:
    ///   - opened: What `open` returned: the backup, read whole.
    ///   - acceptsRollback: Whether to restore even if a newer state of this vault was seen here.
    ///   - progress: Shows the writing of the record.
    ///   - now: Unix seconds.
    /// - Returns: The result.
    /// - Throws: what `Restoring.place` throws; what writing `config.json` throws, when the backup already is the
    ///   vault.
    package consuming func place(
        _ opened: OpenedCopy,
        acceptsRollback: Bool,
        showing progress: any Progress = NoProgress(),
        now: Int64
    ) throws -> Outcome {
        let (id, kept, place, record, config) =
            (restoring.vaultID, self.kept, locator.place, self.record, locator.config)
        let further = restoring.slots.contains(.secretService) ? Self.further(id, locator) : nil
        let (report, isCarried) = try restoring.place(
            opened,
            keepingAs: kept,
            further: further,
            acceptsRollback: acceptsRollback
        ) { newer, copy, isWhole in
            Carrying.changes(from: newer, to: copy, isWhole: isWhole, now: UInt64(clamping: now))
        }
        if record?.id != id || record?.storage != .file(path: place.file) {
            let fresh = VaultRecord(id: id, path: place.file)
            try progress.during(.writingRecord) { try config.revise(place.key) { fresh.replacing($0) } }
        }
        return Outcome(
            report: report,
            backup: opened.report,
            vaultID: id,
            kept: kept,
            isCarried: isCarried
        )
    }

    /// The path of the backup, which must be a file other than the vault itself.
    private static func backup(_ file: String, _ place: VaultPlace) throws -> String {
        let path = try AbsolutePath.of(file)
        guard Path.exists(path) else { throw RestoreError.noBackup }
        guard !Path.isSame(path, place.file) else { throw RestoreError.isVault }
        guard Path.size(path + "-wal") ?? 0 == 0 else { throw RestoreError.hasLog(path: path) }
        return path
    }

    /// Refuses a second file of one vault on a machine: a commit to one file makes the other an old copy.
    private static func refuseTwin(of id: [UInt8], _ locator: VaultLocator) throws {
        let twins = try locator.config.records().filter { name, record in
            guard name != locator.place.key, record.id == id else { return false }
            if case .file(let path) = record.storage { return Path.exists(path) }
            return true
        }
        if let twin = twins.keys.min() { throw RestoreError.twin(name: twin) }
    }

    /// The path of the copy of the vault that is replaced; nil if there is no vault.
    private static func keptName(
        _ place: VaultPlace,
        replaces: Bool,
        _ now: Int64
    ) throws(RestoreError) -> String? {
        guard Path.exists(place.file) else {
            let log = place.file + "-wal"
            guard Path.size(log) ?? 0 == 0 else { throw .strayLog(path: log) }
            return nil
        }
        guard replaces else { throw .occupied(path: place.file) }
        let time = Times.rfc3339(now).filter { !"-:".contains($0) }
        var name = "\(place.file).before-\(time)"
        while Path.exists(name) { name += "-2" }
        return name
    }

    /// The anchor that the keyring keeps for this vault; nil if the keyring does not answer.
    private static func further(_ id: [UInt8], _ locator: VaultLocator) -> AnchorText? {
        guard let service = try? locator.connect(.probe) else { return nil }
        return (try? KeyringCompanion(service, id))?.anchor
    }
}

extension OpenedStore {
    /// Accepts the vault as it is stored here, although a newer state was seen; it was opened with `acceptsRollback`.
    ///
    /// - Returns: its position now and the numbers of its records and key slots; nil slots for a vault in the keyring.
    package func acceptRollback() throws(StoreError) -> (position: Position, records: UInt64, slots: Int?) {
        switch self {
        case .file(let store):
            try store.acceptRollback()
            let status = try store.status()
            return (status.position, status.records, try store.slots().count)
        case .keyring(let store):
            try store.acceptRollback()
            let status = try store.status()
            return (status.position, status.records, nil)
        }
    }
}
