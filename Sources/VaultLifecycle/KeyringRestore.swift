package import FileStore
internal import Files
package import RecordStore
package import SecretServiceStore
internal import Text
internal import VaultCrypto
internal import VaultKit

/// The restore of a backup to a vault in the keyring.
///
/// `init` checks everything that can be refused, `open` reads the backup whole, and only `place` writes.
package struct KeyringRestore {
    /// The result of a restore.
    package struct Outcome {
        /// The vault's position in its history now.
        package let position: Position
        package let records: Int
        package let vaultID: [UInt8]
        /// The path of the copy of the replaced vault; nil if there was no vault.
        package let kept: String?
        /// Records of the replaced vault that could not be read, and are not in that copy.
        package let damaged: [DamagedRecord]
        /// Whether the replaced vault's knowledge of ended keys, sessions and hosts was carried over.
        package let isCarried: Bool
    }

    /// The path of the copy of the vault that is replaced.
    package let kept: String
    private let locator: VaultLocator
    private let record: VaultRecord
    private let reading: BackupReading

    /// Checks the backup and the vault that it replaces.
    ///
    /// - Parameters:
    ///   - file: The backup.
    ///   - record: The record of the vault, which is in the keyring.
    ///   - locator: Names the vault.
    ///   - replaces: Whether the vault in the keyring may be replaced.
    ///   - now: Unix seconds.
    /// - Throws: `RestoreError`; what looking at the backup throws; what reading `config.json` throws.
    package init(
        _ file: String,
        over record: VaultRecord,
        at locator: VaultLocator,
        replaces: Bool,
        now: Int64
    ) throws {
        guard record.move == nil else { throw RestoreError.isMoving }
        guard replaces else { throw RestoreError.inUse }
        let path = try AbsolutePath.of(file)
        guard Path.exists(path) else { throw RestoreError.noBackup }
        guard Path.size(path + "-wal") ?? 0 == 0 else { throw RestoreError.hasLog(path: path) }
        reading = try BackupReading(path)
        guard reading.vaultID == record.id else { throw RestoreError.otherVault }
        let time = Times.rfc3339(now).filter { !"-:".contains($0) }
        var name = "\(locator.place.file).before-\(time)"
        while Path.exists(name) { name += "-2" }
        (kept, self.locator, self.record) = (name, locator, record)
    }

    /// Opens the backup with one of its own secrets, and reads everything in it.
    package func open(
        by source: any SecretSource,
        _ unlocker: VaultUnlocker
    ) throws(OpeningError) -> BackupReading.Opened {
        try unlocker.trying(source) { secret throws(StoreError) in
            try unlocker.derivingKey(secret) { () throws(StoreError) in try reading.open(secret) }
        }.0
    }

    /// Replaces the vault in the keyring by the backup, with a position above everything that was seen of the vault.
    ///
    /// - Parameters:
    ///   - opened: What `open` returned.
    ///   - patience: How the keyring is waited for.
    ///   - acceptsRollback: Also if a newer state of this vault was seen here.
    ///   - now: Unix seconds.
    /// - Returns: The result.
    /// - Throws: `rollback` unless that is accepted, and in any case for a backup from before the last rekey or move;
    ///   what the service answers; what writing the copy of what is there throws.
    package func place(
        _ opened: BackupReading.Opened,
        _ patience: Patience,
        acceptsRollback: Bool,
        now: Int64
    ) throws -> Outcome {
        let lock = try locator.moveLock(record.id)
        defer { withExtendedLifetime(lock) {} }
        let service = try locator.connect(patience)
        var isUnreadable = false
        let found: SecretServiceStore?
        do throws(StoreError) {
            found = try store(in: service)
        } catch .tampered(.head) {
            // The vault has no valid root, so there is nothing to copy.
            (found, isUnreadable) = (nil, true)
        }
        guard let store = found else {
            return try adopt(
                opened,
                in: service,
                acceptsRollback: acceptsRollback,
                settingAside: isUnreadable
            )
        }
        try PathChecks.makeFolder(Folder.parent(of: kept))
        var damaged: [DamagedRecord] = []
        let restored = try opened.read { backup throws(StoreError) in
            try store.restore(
                backup,
                at: opened.report.position,
                acceptsRollback: acceptsRollback
            ) { live, position throws(StoreError) in
                let sound = try SoundReader(live)
                damaged = sound.damaged
                _ = try opened.key.backUp(
                    CopyKey.Source(sound, of: record.id, at: position),
                    to: kept,
                    entropy: .system
                )
            } carrying: { newer, copy, isWhole in
                Carrying.changes(from: newer, to: copy, isWhole: isWhole, now: UInt64(clamping: now))
            }
        }
        return Outcome(
            position: restored.position,
            records: restored.records,
            vaultID: record.id,
            kept: kept,
            damaged: damaged,
            isCarried: restored.isCarried
        )
    }

    /// The vault in the keyring, in whichever state; nil if it has no root.
    private func store(in service: SecretService) throws(StoreError) -> SecretServiceStore? {
        var options = OpenOptions()
        options.acceptsRollback = true
        do throws(StoreError) {
            return try SecretServiceStore.open(
                vaultID: record.id,
                options: options,
                paths: locator.keyringPaths,
                service: service,
                natives: .credentials,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        } catch .notFound {
            return nil
        }
    }

    /// Makes the vault again in a keyring that has lost it.
    ///
    /// - Parameters:
    ///   - opened: The backup.
    ///   - service: The keyring.
    ///   - acceptsRollback: Also if a newer state of this vault was seen here.
    ///   - setsAside: Whether the keyring has unreadable items of the vault; it keeps them under another schema.
    /// - Returns: the result.
    /// - Throws: `rollback`; what the service answers; what writing `config.json` throws.
    private func adopt(
        _ opened: BackupReading.Opened,
        in service: SecretService,
        acceptsRollback: Bool,
        settingAside setsAside: Bool = false
    ) throws -> Outcome {
        let found = opened.report.position
        let paths = locator.place.paths
        let seen = try Anchor(path: paths.anchor(record.id), vaultID: record.id).read()?.position ?? found
        guard found.epoch >= seen.epoch, acceptsRollback || found >= seen else {
            throw StoreError.rollback(found: found, expected: seen)
        }
        let position = Position(epoch: found.epoch, generation: max(found.generation, seen.generation) + 1)
        let collection = try collection(in: service)
        let fresh = VaultRecord(id: record.id, collection: collection.path, label: collection.label)
        let isElsewhere = fresh.storage != record.storage
        if isElsewhere { try locator.config.checkWritable() }
        if setsAside { try SecretServiceStore.setAside(vaultID: record.id, items: service) }
        let store = try opened.read { backup throws(StoreError) in
            try SecretServiceStore.adopt(
                RestoredReader(backup, floor: position.generation),
                vaultID: record.id,
                named: locator.place.key,
                position: position,
                in: collection,
                paths: locator.keyringPaths,
                items: service,
                natives: .credentials,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        }
        try store.claim()
        if isElsewhere {
            try locator.config.revise(locator.place.key) { fresh.replacing($0) }
        }
        return Outcome(
            position: position,
            records: opened.report.records,
            vaultID: record.id,
            kept: nil,
            damaged: [],
            isCarried: false
        )
    }

    /// The collection that the vault was in, else the default one; unlocked.
    private func collection(in service: SecretService) throws(StoreError) -> CollectionInfo {
        if case .keyring(let path, let label) = record.storage,
            try service.collections().contains(where: { $0.path == path })
        {
            return try service.collection(.named(label), making: false)
        }
        return try service.collection(.standard, making: true)
    }
}

/// The records of a backup under a floor above all of them.
private struct RestoredReader: RecordReader {
    let floor: UInt64
    private let reader: any RecordReader

    init(_ reader: any RecordReader, floor: UInt64) { (self.reader, self.floor) = (reader, floor) }

    var generation: UInt64 { reader.generation }
    func find(_ id: RecordID) throws(StoreError) -> Record? { try reader.find(id) }
    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? { try reader.info(id) }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        try reader.list(kind, where: attributes)
    }
}
