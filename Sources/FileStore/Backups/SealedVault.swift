internal import Files
package import RecordStore
package import VaultCrypto

/// A vault file without its keys: it can be copied but not read.
package struct SealedVault {
    /// The vault's id: 16 bytes, public.
    package let vaultID: [UInt8]
    private let paths: VaultPaths
    private let connection: Connection
    private let entropy: Entropy

    /// Opens a vault for copying.
    ///
    /// - Throws: `notFound`, `unsafeFile`, `unsuitableFileSystem`, `notAVault`, `newerFormat`, `schemaTampered`,
    ///   `tampered`, `corrupt`, `readOnlyWithLog`.
    package init(_ paths: VaultPaths, entropy: Entropy) throws(StoreError) {
        self.paths = paths
        self.entropy = entropy
        connection = try Opening(paths, OpenOptions(readOnly: true)).connection
        vaultID = try connection.read { rows throws(StoreError) in try rows.head().vaultID }
    }

    /// Copies the vault into a folder, and checks pages, tables and head; writes nothing if the folder has a
    /// copy of the same state.
    ///
    /// No other backup is removed: only the keys show whether the records of a copy are whole.
    ///
    /// - Parameters:
    ///   - folder: the folder of this vault's backups.
    ///   - time: Unix seconds, for the name.
    ///   - passed: paths of backups that turned out to be damaged; they are ignored.
    ///   - known: the check that a backup passed before; nil to check it now.
    /// - Returns: the backup, new or found.
    /// - Throws: `corrupt`, `tampered`; `diskFull`, `io`.
    package func backUp(
        into folder: BackupFolder,
        at time: Int64,
        passing passed: Set<String> = [],
        known: (BackupCopy) -> BackupCheck?
    ) throws(StoreError) -> MadeBackup {
        let row = try connection.read { rows throws(StoreError) in try rows.head() }
        let candidates = try candidates(for: row, in: folder)
            .filter { $0.head == row && !passed.contains($0.path) }
        if let copy = candidates.first(where: { counts($0.path) != nil }) {
            return try made(copy, isNew: false, known(copy) ?? .structure)
        }
        let copy = try CopyFile.begin(beside: folder.draft, entropy)
        let head = try connection.read { rows throws(StoreError) in
            let head = try rows.head()
            // The same transaction read the head, so it is the head of the copy.
            try Connection.copy(rows.database, into: copy.draft)
            return head
        }
        guard counts(copy.draft) != nil,
            try Connection(copy.draft, .immutable)
                .read({ rows throws(StoreError) in try rows.head() }) == head
        else { throw .corrupt }
        let position = Position(epoch: head.epoch, generation: generation(of: head) ?? 0)
        return try made(try folder.place(copy, head, position, at: time), isNew: true, .structure)
    }

    /// The backups that may be of a state: all that have its generation, and the newest ones without a
    /// generation in their names.
    ///
    /// If the generation of the state is not known, all that have a generation count.
    private func candidates(
        for row: HeadRow,
        in folder: BackupFolder
    ) throws(StoreError) -> [BackupCopy] {
        let present = generation(of: row)
        return try folder.copies(of: vaultID, row.epoch) { name in
            name.generation != 0 && (present == nil || name.generation == present)
        } + folder.copies(of: vaultID, row.epoch) { $0.generation == 0 }
    }

    private func made(
        _ copy: BackupCopy,
        isNew: Bool,
        _ check: BackupCheck
    ) throws(StoreError) -> MadeBackup {
        let counted = counts(copy.path)
        return MadeBackup(
            copy: copy,
            isNew: isNew,
            check: check,
            generation: generation(of: copy.head),
            records: counted?.records ?? 0,
            slots: counted?.slots ?? 0,
            damaged: []
        )
    }

    /// Checks the pages of a copy, and counts its rows; nil if the copy is damaged.
    private func counts(_ path: String) -> (records: Int, slots: Int)? {
        let counts = try? Connection(path, .immutable).read { rows throws(StoreError) in
            guard try rows.database.text("PRAGMA integrity_check(1)") == "ok" else { throw .corrupt }
            let records = try rows.database.number("SELECT count(*) FROM record") ?? 0
            return (records: Int(clamping: records), slots: try rows.slots().rows.count)
        }
        return counts
    }

    /// The generation of a head, if this machine's anchor is of that head.
    private func generation(of head: HeadRow) -> UInt64? {
        let seen = try? Anchor(path: paths.anchor(vaultID), vaultID: vaultID).read()
        guard let seen, seen.position.epoch == head.epoch, seen.tag == head.tag else { return nil }
        return seen.position.generation
    }
}

/// How thoroughly a backup was checked when it was made, or later.
package enum BackupCheck: String, Sendable {
    /// Every record was opened with the keys and is sound; only this check allows removing an older backup.
    case full
    /// Pages, tables and the head were checked, without the keys.
    case structure
    /// The keys were used: the copy has damaged records, as the vault has.
    case damaged
}

/// A backup in a folder, written now or found because nothing has changed since.
package struct MadeBackup {
    package let copy: BackupCopy
    /// Whether the backup was written just now.
    package let isNew: Bool
    package let check: BackupCheck
    /// The newest commit in the backup; nil without keys if this machine's anchor is of another head.
    package let generation: UInt64?
    package let records: Int
    package let slots: Int
    /// Records that fail authentication, in the vault and in the copy.
    package let damaged: [DamagedRecord]

    /// The backup after a check with the keys; nil if the report is about another file.
    package func read(_ report: CopyReport) -> MadeBackup? {
        guard report.headTag == copy.tag else { return nil }
        return MadeBackup(
            copy: copy,
            isNew: isNew,
            check: report.damaged.isEmpty ? .full : .damaged,
            generation: report.position.generation,
            records: report.records,
            slots: report.slots,
            damaged: report.damaged
        )
    }
}
