internal import Files
internal import RecordStore

/// Copies in a folder, read with the keys of the vault that they are of.
struct CopyInspector {
    private let sealer: Sealer

    init(_ sealer: Sealer) { self.sealer = sealer }

    /// Reads a copy whole, gives it its name, and says what it is.
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

    /// Whether a folder has a copy under the vault's present key that is whole; each is read now.
    ///
    /// - Throws: `io` where the folder cannot be read.
    func hasWholeCopy(in folder: BackupFolder) throws(StoreError) -> Bool {
        try folder.copies(of: sealer.vaultID, sealer.epoch).contains { readWhole($0) { _ in false } != nil }
    }

    /// Reads a copy with the keys of the vault; nil for one that is not what its head says.
    func inspect(_ copy: BackupCopy) -> VerifyReport? {
        let report = try? Connection(copy.path, .immutable).read { rows throws(StoreError) in
            guard try rows.head() == copy.head else { throw .conflict }
            return try FileStore.inspect(rows, reader)
        }
        return report
    }

    /// What the rules of keeping go by; nil for a copy that is not of this vault, or not whole.
    private func readWhole(_ copy: BackupCopy, _ isKnown: (BackupCopy) -> Bool) -> Retention.Entry? {
        guard let head = try? reader.observe(copy.head),
            [head.generation, 0].contains(copy.name.generation)
        else { return nil }
        guard isKnown(copy) || inspect(copy)?.damaged.isEmpty == true else { return nil }
        return Retention.Entry(name: copy.name, tag: copy.tag, generation: head.generation)
    }

    /// A reader of its own: what the vault's one has seen says nothing about a copy.
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
