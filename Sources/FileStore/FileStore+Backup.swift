internal import Files
public import RecordStore

extension FileStore {
    /// Writes a copy of the vault as it is at one moment into one file of mode 0600, and reads the copy whole before it
    /// gets its name; other processes go on writing meanwhile.
    ///
    /// It is the ciphertext with its key slots: what opens the vault today opens the copy, also when it opens the vault no
    /// longer.
    ///
    /// - Parameters:
    ///   - path: where it goes; any folder will do.
    ///   - replaces: whether a file of that name is replaced; never by a copy with damaged records, as the file may hold
    ///     them whole.
    /// - Returns: what was verified, and the damaged records that the copy has as they are.
    /// - Throws: `alreadyExists`; `tampered` and `corrupt` for a vault that cannot be vouched for otherwise: then there is
    ///   no copy; `diskFull`, `io`.
    public func backUp(to path: String, replaces: Bool = false) throws(StoreError) -> VerifyReport {
        let (connection, sealer) = try unlocked()
        CopyFile.sweep(beside: paths.vault)
        let copy = try CopyFile.begin(beside: path, sealer.entropy)
        try connection.copy(into: copy.draft)
        // A reader of its own: what the vault's one has seen says nothing about the copy.
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
    /// Puts a copy of the vault into a folder, and reads it whole; nothing is written where the newest one there is of
    /// the same state.
    ///
    /// - Parameters:
    ///   - folder: where the copies of this vault lie.
    ///   - time: Unix seconds, for the name.
    /// - Returns: the copy, read whole now, new or found. With damaged records it lets no other one go.
    /// - Throws: `tampered` and `corrupt` for a vault that cannot be vouched for otherwise: then there is no copy;
    ///   `diskFull`, `io`.
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

    /// Removes what is not to be kept of the copies in a folder, after one was read whole; as `CopyInspector.thin`.
    package func thin(
        _ folder: BackupFolder,
        after made: MadeBackup,
        keeping retention: Retention,
        isKnown: (BackupCopy) -> Bool
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        let (_, sealer) = try unlocked()
        return try CopyInspector(sealer).thin(folder, after: made, keeping: retention, isKnown: isKnown)
    }

    /// The newest copy of the state that the vault has now; nil where there is none.
    ///
    /// It is read whole, whatever is remembered of it: the disk may have lost it since, and older ones go by it.
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
            // A vault with damaged records is not copied again and again; a copy that has more of them is no copy.
            if !report.damaged.isEmpty, try inspect() != report { continue }
            return CopyInspector.made(copy, report, isNew: false)
        }
        return nil
    }

    /// Whether a folder has a copy under the vault's present key that is whole; each is read now.
    ///
    /// - Throws: `io` where the folder cannot be read.
    package func hasWholeCopy(in folder: BackupFolder) throws(StoreError) -> Bool {
        let (_, sealer) = try unlocked()
        return try CopyInspector(sealer).hasWholeCopy(in: folder)
    }
}
