internal import Files
package import RecordStore

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
