internal import Files
public import RecordStore
internal import VaultCrypto

/// Reads the backups of a folder with the keys of their vault.
struct CopyInspector {
    private let sealer: Sealer

    init(_ sealer: Sealer) { self.sealer = sealer }

    /// Reads a backup whole, gives it its name, and returns the result.
    func place(
        _ copy: consuming CopyFile,
        in folder: BackupFolder,
        at time: Int64
    ) throws(StoreError) -> MadeBackup {
        let reader = try reader
        let (head, report) = try Connection(copy.draft, .immutable).read { rows throws(StoreError) in
            (try rows.head(), try FileStore.inspect(rows, reader))
        }
        let placed = try folder.place(copy, head, report.position, at: time)
        return Self.made(placed, report, isNew: true)
    }

    /// Removes surplus backups from a folder, after one was read whole.
    ///
    /// Only backups of this vault and key epoch count, by name and authentic head, and only if they were read
    /// whole; a backup that is not remembered is read now. Every other file stays as it is.
    ///
    /// - Parameters:
    ///   - folder: the folder of this vault's backups.
    ///   - made: the newest backup; if it was not read whole, nothing is removed.
    ///   - retention: the rule for the backups to keep.
    ///   - isKnown: whether a backup is remembered as read whole.
    /// - Returns: the removed backups, and the remaining ones that were read whole.
    /// - Throws: `io` if the folder cannot be read.
    func thin(
        _ folder: BackupFolder,
        after made: MadeBackup,
        keeping retention: Retention,
        isKnown: (BackupCopy) -> Bool
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        guard made.check == .full else { return ([], []) }
        var whole: [(copy: BackupCopy, entry: Retention.Entry)] = []
        for copy in try folder.copies(of: sealer.vaultID, sealer.epoch) {
            guard let entry = readWhole(copy, isKnown) else { continue }
            whole.append((copy, entry))
        }
        return try folder.thin(whole, after: made, keeping: retention)
    }

    /// Whether a folder has a whole backup under the vault's present key; reads each one.
    ///
    /// - Throws: `io` if the folder cannot be read.
    func hasWholeCopy(in folder: BackupFolder) throws(StoreError) -> Bool {
        try folder.copies(of: sealer.vaultID, sealer.epoch).contains { readWhole($0) { _ in false } != nil }
    }

    /// Reads a backup with the keys of the vault; nil if the file has changed or is not authentic.
    func inspect(_ copy: BackupCopy) -> VerifyReport? {
        let report = try? Connection(copy.path, .immutable).read { rows throws(StoreError) in
            guard try rows.head() == copy.head else { throw .conflict }
            return try FileStore.inspect(rows, reader)
        }
        return report
    }

    /// The facts for the retention rule; nil for a backup of another vault, or if it could not be read completely.
    private func readWhole(_ copy: BackupCopy, _ isKnown: (BackupCopy) -> Bool) -> Retention.Entry? {
        guard let head = try? reader.observe(copy.head),
            [head.generation, 0].contains(copy.name.generation)
        else { return nil }
        guard isKnown(copy) || inspect(copy)?.damaged.isEmpty == true else { return nil }
        return Retention.Entry(name: copy.name, tag: copy.tag, generation: head.generation)
    }

    /// A separate sealer, because the state that the vault's own one has seen does not apply to a backup.
    var reader: Sealer {
        get throws(StoreError) {
            try Sealer(
                keys: sealer.keys,
                vaultID: sealer.vaultID,
                epoch: sealer.epoch,
                entropy: sealer.entropy,
                now: sealer.now
            )
        }
    }

    static func made(_ copy: BackupCopy, _ report: VerifyReport, isNew: Bool) -> MadeBackup {
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

extension FileStore: CopyReading {
    /// Reads a copy of the vault completely, with the keys in memory.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - revisions: the revisions of the vault's present records.
    /// - Returns: the report about the copy.
    /// - Throws: as `CopyReading.readCopy`.
    public func readCopy(
        _ path: String,
        beside revisions: [Revision]
    ) throws(StoreError) -> CopyReport {
        // The vault itself is not a copy.
        if let facts = try FileFacts(path), facts.identity == (try FileFacts(paths.vault))?.identity {
            throw .unsafeFile(path: path, .wrongType)
        }
        return try CopyInspector(unlocked().1).read(path, beside: revisions)
    }
}

extension CopyKey {
    /// Reads a copy of the vault completely, with this key.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - vaultID: The vault.
    ///   - revisions: The revisions of the vault's present records.
    /// - Returns: The report about the copy.
    /// - Throws: As `CopyReading.readCopy`.
    package func readCopy(
        _ path: String,
        of vaultID: [UInt8],
        beside revisions: [Revision]
    ) throws(StoreError) -> CopyReport {
        try CopyInspector(sealer(vaultID, .system)).read(path, beside: revisions)
    }
}

extension CopyInspector {
    /// Reads a file completely that may be a copy of the vault.
    fileprivate func read(_ path: String, beside revisions: [Revision]) throws(StoreError) -> CopyReport {
        guard let facts = try FileFacts(path) else { throw .notFound }
        guard facts.isFile else { throw .unsafeFile(path: path, .wrongType) }
        guard try FileFacts(path + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        let reader = try reader
        let report = try Connection(path, .immutable).read { rows throws(StoreError) in
            let head = try rows.head()
            guard head.vaultID == reader.vaultID, head.epoch == reader.epoch else { throw .wrongSecret }
            return try FileStore.inspect(rows, reader)
        }
        return CopyReport(
            position: report.position,
            headTag: report.headTag,
            records: report.records,
            slots: report.slots,
            modified: try FileFacts.modified(path) / 1_000_000_000,
            damaged: report.damaged,
            newerHere: revisions.count { $0 > report.generation }
        )
    }
}
