package import FileStore
package import RecordStore
package import SecretServiceStore
internal import VaultCrypto

/// Backups of a vault in the keyring: vault files under a key that is stored in the vault as a record
/// (Schemas/keyring-vault.md section 11).
package struct KeyringCopies {
    /// Kind and name of the record.
    private static let record = (kind: "vault.backup", name: "key")

    package let store: SecretServiceStore

    package init(_ store: SecretServiceStore) { self.store = store }

    /// Whether the vault has a key for its backups; the first backup makes it.
    package func hasKey() throws(StoreError) -> Bool {
        try store.view { reader, position throws(StoreError) in try Self.key(reader, position) != nil }
    }

    /// Makes the key, with the slots that will open every backup until the next rekey.
    ///
    /// - Throws: `conflict` if another program made one meanwhile; `lastSlot`; what a commit throws.
    package func makeKey(_ slots: [NewSlot]) throws(StoreError) {
        let id = try Self.id
        let epoch = try store.status().position.epoch
        let key = try CopyKey.make(
            slots,
            for: store.vaultID,
            epoch: epoch,
            entropy: .system,
            at: SystemTime.milliseconds()
        )
        let draft = try Self.draft(key)
        let (floor, revision) = try store.view { reader, position throws(StoreError) in
            guard position.epoch == epoch, try Self.key(reader, position) == nil else { throw .conflict }
            return (reader.floor, try reader.info(id)?.revision ?? 0)
        }
        try store.commit(ChangeSet(floor: floor, changes: [.put(draft, expecting: revision)]))
    }

    /// Copies the vault's present state to a file, and reads the copy whole.
    ///
    /// - Throws: `noSuchSlot` for a vault without a key; as `CopyKey.backUp`.
    package func write(to path: String, replaces: Bool) throws(StoreError) -> VerifyReport {
        try view { key, source throws(StoreError) in
            try key.backUp(source, to: path, replaces: replaces, entropy: .system)
        }
    }

    /// Copies the vault to a folder of backups, if something has changed.
    func write(into folder: BackupFolder, at time: Int64) throws(StoreError) -> MadeBackup {
        try view { key, source throws(StoreError) in
            try key.backUp(source, into: folder, at: time, entropy: .system)
        }
    }

    /// Removes expired copies, as `CopyKey.thin` does.
    func thin(
        _ folder: BackupFolder,
        after made: MadeBackup,
        keeping retention: Retention,
        isKnown: (BackupCopy) -> Bool
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        try key().thin(folder, of: store.vaultID, after: made, keeping: retention, isKnown: isKnown)
    }

    /// Whether a folder has a whole copy under the present key.
    func hasWholeCopy(in folder: BackupFolder) throws(StoreError) -> Bool {
        try key().hasWholeCopy(in: folder, of: store.vaultID)
    }

    /// Reads a backup whole, with the key that is stored in the vault.
    ///
    /// - Returns: A report on the backup, and how many records are newer in the vault.
    /// - Throws: `wrongSecret` for a backup of another vault, or under another key of this one; `noSuchSlot` for a vault
    ///   without a key; as `CopyReading.readCopy`.
    package func readCopy(_ path: String) throws(StoreError) -> CopyReport {
        try view { key, source throws(StoreError) in
            let revisions = try source.reader.list(nil).map(\.revision)
            return try key.readCopy(path, of: store.vaultID, beside: revisions)
        }
    }

    /// The key in a view; nil if there is none, or if it is of another key epoch, whose slots open nothing.
    static func key(_ reader: any RecordReader, _ position: Position) throws(StoreError) -> CopyKey? {
        guard let record = try reader.find(id), let key = try CopyKey(record.body),
            key.epoch == position.epoch
        else { return nil }
        return key
    }

    /// The key in the vault now, with the revision of its record; nil if there is no key of this epoch.
    func present() throws(StoreError) -> (key: CopyKey, revision: Revision)? {
        try store.view { reader, position throws(StoreError) in
            guard let key = try Self.key(reader, position),
                let info = try reader.info(Self.id)
            else { return nil }
            return (key, info.revision)
        }
    }

    /// The change that removes the key, for the change set of a rekey.
    static func removal() throws(StoreError) -> Change { .delete(try id, expecting: nil) }

    /// The change that replaces the key of this revision by the next one.
    static func replacement(_ key: CopyKey, expecting revision: Revision) throws(StoreError) -> Change {
        .put(try draft(key), expecting: revision)
    }

    private static func draft(_ key: CopyKey) throws(StoreError) -> RecordDraft {
        RecordDraft(id: try id, label: "Key of the backups", body: try key.body())
    }

    private static var id: RecordID {
        get throws(StoreError) { try RecordID(record.kind, record.name) }
    }

    private func key() throws(StoreError) -> CopyKey {
        try view { key, _ throws(StoreError) in key }
    }

    private func view<R>(
        _ body: (CopyKey, CopyKey.Source) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try store.view { reader, position throws(StoreError) in
            guard let key = try Self.key(reader, position) else { throw .noSuchSlot }
            return try body(key, CopyKey.Source(reader, of: store.vaultID, at: position))
        }
    }
}

/// Copies of a vault file that this machine knows of; the secrets that opened them when they were made still do.
package struct OldCopies: Sendable {
    /// Backups that this machine remembers and that still exist.
    package let backups: Int
    /// When the newest of them was made or read, Unix seconds, and the folder that it is in.
    package let newest: (at: Int64, folder: String)?
    /// Files that a restore or a move set aside.
    package let kept: Int

    /// Looks for old copies.
    package init(of place: VaultPlace, _ vaultID: [UInt8], _ record: VaultRecord?) {
        let present = BackupMemory(place, vaultID).entries.filter { Path.isFile($0.path) }
        backups = present.count
        newest = present.max { $0.at < $1.at }.map { ($0.at, Path.folder(of: $0.path)) }
        let start = place.file.dropFirst(Path.folder(of: place.file).count + 1) + ".before-"
        let aside = Path.names(in: Path.folder(of: place.file)).filter { name in
            name.hasPrefix(start) && ["-wal", "-shm", "-journal"].allSatisfy { !name.hasSuffix($0) }
                && !name.contains(".new-")
        }
        kept = aside.count + (record?.kept.count ?? 0)
    }

    /// Whether this machine knows of no copy; others may exist.
    package var isNone: Bool { backups == 0 && kept == 0 }
}
