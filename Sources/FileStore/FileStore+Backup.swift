internal import Files
public import RecordStore

extension FileStore {
    /// Copies one snapshot of the vault into a file of mode 0600, and reads the copy completely before the file gets
    /// its name.
    ///
    /// Other processes can write meanwhile. The copy contains the ciphertext and the key slots: today's secrets open
    /// the copy, even after they no longer open the vault.
    ///
    /// - Parameters:
    ///   - path: the path of the copy, in any folder.
    ///   - replaces: whether to replace an existing file; a copy with damaged records never does, as the file may have
    ///     them undamaged.
    /// - Returns: the verification, with the damaged records that were copied unchanged.
    /// - Throws: `alreadyExists`; `tampered` and `corrupt` if anything but a record is damaged: then no copy is made;
    ///   `diskFull`, `io`.
    public func backUp(to path: String, replaces: Bool = false) throws(StoreError) -> VerifyReport {
        let (connection, sealer) = try unlocked()
        CopyFile.sweep(beside: paths.vault)
        let copy = try CopyFile.begin(beside: path, sealer.entropy)
        try connection.copy(into: copy.draft)
        // A separate sealer, because the state that the vault's own one has seen does not apply to the copy.
        let reader = try Sealer(
            keys: sealer.keys,
            vaultID: sealer.vaultID,
            epoch: sealer.epoch,
            entropy: sealer.entropy,
            now: sealer.now
        )
        let report = try Connection(copy.draft, .immutable).read { rows throws(StoreError) in
            try Self.inspect(rows, reader)
        }
        if replaces, let damaged = report.damaged.first, try FileFacts(path) != nil {
            throw .tampered(damaged.tampered)
        }
        try copy.finish(at: path, replaces: replaces)
        return report
    }
}

extension FileStore {
    /// Backs the vault up into a folder and reads the backup completely; writes nothing if the newest backup there has
    /// the same state.
    ///
    /// - Parameters:
    ///   - folder: the folder of this vault's backups.
    ///   - time: Unix seconds, for the name.
    /// - Returns: the backup, read completely now, new or found. If it has damaged records, no other backup is removed
    ///   because of it.
    /// - Throws: `tampered` and `corrupt` if anything but a record is damaged: then no backup is made; `diskFull`,
    ///   `io`.
    package func backUp(
        into folder: BackupFolder,
        at time: Int64
    ) throws(StoreError) -> MadeBackup {
        if let present = try unchanged(in: folder) { return present }
        let (connection, sealer) = try unlocked()
        let copy = try CopyFile.begin(beside: folder.draft, sealer.entropy)
        try connection.copy(into: copy.draft)
        return try CopyInspector(sealer).place(copy, in: folder, at: time)
    }

    /// Removes surplus backups from a folder, after one was read completely; see `CopyInspector.thin`.
    package func thin(
        _ folder: BackupFolder,
        after made: MadeBackup,
        keeping retention: Retention,
        isKnown: (BackupCopy) -> Bool
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        let (_, sealer) = try unlocked()
        return try CopyInspector(sealer).thin(folder, after: made, keeping: retention, isKnown: isKnown)
    }

    /// The newest backup of the vault's present state; nil if there is no such backup.
    ///
    /// The backup is read completely each time: the disk may have lost it since, and older ones are removed because of
    /// it.
    private func unchanged(in folder: BackupFolder) throws(StoreError) -> MadeBackup? {
        let (connection, sealer) = try unlocked()
        let (row, head) = try connection.read { rows throws(StoreError) in
            let row = try rows.head()
            return (row, try sealer.observe(row))
        }
        let inspector = CopyInspector(sealer)
        let candidates = try folder.copies(of: vaultID, row.epoch) { name in
            name.generation == head.generation || name.generation == 0
        }
        for copy in candidates where copy.head == row {
            guard let report = inspector.inspect(copy) else { continue }
            // A vault with damaged records is not backed up repeatedly; a backup counts only if its
            // damage is the vault's.
            if !report.damaged.isEmpty, try inspect() != report { continue }
            return CopyInspector.made(copy, report, isNew: false)
        }
        return nil
    }

    /// Whether a folder has a complete backup under the vault's present key; reads each one.
    ///
    /// - Throws: `io` if the folder cannot be read.
    package func hasWholeCopy(in folder: BackupFolder) throws(StoreError) -> Bool {
        let (_, sealer) = try unlocked()
        return try CopyInspector(sealer).hasWholeCopy(in: folder)
    }
}
