internal import LocalState
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
        let reader = try reader(sealer)
        let (head, report) = try Connection(copy.draft, .immutable).read { rows throws(StoreError) in
            (try rows.head(), try Self.inspect(rows, reader))
        }
        let placed = try folder.place(copy, head, report.position, at: time)
        return Self.made(placed, report, isNew: true)
    }

    /// Removes what is not to be kept of the copies in a folder, after one was read whole.
    ///
    /// Only copies of this vault and key epoch count, by name and by an authentic head, and only those that were read
    /// whole: a copy that is not remembered is read now. Everything else stays as it is.
    ///
    /// - Parameters:
    ///   - folder: where the copies of this vault lie.
    ///   - made: the newest copy there; one that was not read whole lets nothing go.
    ///   - retention: which copies stay.
    ///   - isKnown: whether a copy is remembered as read whole.
    /// - Returns: the copies that are gone, and those read whole that are left.
    /// - Throws: `io` where the folder cannot be read.
    package func thin(
        _ folder: BackupFolder,
        after made: MadeBackup,
        keeping retention: Retention,
        isKnown: (BackupCopy) -> Bool
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        guard made.check == .full else { return ([], []) }
        let (_, sealer) = try unlocked()
        var whole: [(copy: BackupCopy, entry: Retention.Entry)] = []
        for copy in try folder.copies(of: vaultID, sealer.epoch) {
            guard let entry = try readWhole(copy, isKnown) else { continue }
            whole.append((copy, entry))
        }
        return try folder.thin(whole, after: made, keeping: retention)
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
        let candidates = try folder.copies(of: vaultID, row.epoch) { name in
            name.generation == head.generation || name.generation == 0
        }
        for copy in candidates where copy.head == row {
            guard let report = inspect(copy, sealer) else { continue }
            // A vault with damaged records is not copied again and again; a copy that has more of them is no copy.
            if !report.damaged.isEmpty, try inspect() != report { continue }
            return Self.made(copy, report, isNew: false)
        }
        return nil
    }

    /// Whether a folder has a copy under the vault's present key that is whole; each is read now.
    ///
    /// - Throws: `io` where the folder cannot be read.
    package func hasWholeCopy(in folder: BackupFolder) throws(StoreError) -> Bool {
        let (_, sealer) = try unlocked()
        for copy in try folder.copies(of: vaultID, sealer.epoch) {
            if try readWhole(copy, { _ in false }) != nil { return true }
        }
        return false
    }

    /// What the rules of keeping go by; nil for a copy that is not of this vault, or not whole.
    private func readWhole(
        _ copy: BackupCopy,
        _ isKnown: (BackupCopy) -> Bool
    ) throws(StoreError) -> Retention.Entry? {
        let (_, sealer) = try unlocked()
        guard let head = try? reader(sealer).observe(copy.head),
            [head.generation, 0].contains(copy.name.generation)
        else { return nil }
        guard isKnown(copy) || inspect(copy, sealer)?.damaged.isEmpty == true else { return nil }
        return Retention.Entry(name: copy.name, tag: copy.tag, generation: head.generation)
    }

    /// Reads a copy with the keys of the vault; nil for one that is not what its head says.
    private func inspect(_ copy: BackupCopy, _ sealer: Sealer) -> VerifyReport? {
        let report = try? Connection(copy.path, .immutable).read { rows throws(StoreError) in
            guard try rows.head() == copy.head else { throw .conflict }
            return try Self.inspect(rows, reader(sealer))
        }
        return report
    }

    /// A reader of its own: what the vault's one has seen says nothing about a copy.
    func reader(_ sealer: Sealer) throws(StoreError) -> Sealer {
        try Sealer(
            keys: sealer.keys,
            vaultID: sealer.vaultID,
            epoch: sealer.epoch,
            entropy: sealer.entropy,
            now: sealer.now
        )
    }

    private static func made(_ copy: BackupCopy, _ report: VerifyReport, isNew: Bool) -> MadeBackup {
        MadeBackup(
            copy: copy,
            isNew: isNew,
            check: report.damaged.isEmpty ? .full : .damaged,
            generation: report.generation,
            records: report.records,
            slots: report.slots,
            damaged: report.damaged
        )
    }
}
