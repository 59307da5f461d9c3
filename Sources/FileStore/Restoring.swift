internal import Files
internal import Glibc
package import RecordStore
package import VaultCrypto

/// A backup that is being restored to the path of a vault (Schemas/vault-file.md section 6).
///
/// The backup is first copied into the vault's folder and verified with its own secrets; files that exist
/// there stay untouched until `place`. A backup that was not placed leaves nothing behind.
package struct Restoring: ~Copyable {
    /// The id of the backed-up vault, 16 bytes.
    package let vaultID: [UInt8]
    /// The kinds of the backup's key slots.
    package let slots: [SlotKind]
    let paths: VaultPaths
    let copy: CopyFile
    let entropy: Entropy
    let now: @Sendable () -> UInt64

    /// Copies a backup into the folder of a vault.
    ///
    /// - Throws: `readOnlyWithLog` for a file with a write-ahead log, which is not a backup; `notFound`;
    ///   `unsafeFile`; `notAVault`, `newerFormat`, `schemaTampered`, `corrupt`; `diskFull`.
    package static func begin(
        _ backup: String,
        at paths: VaultPaths,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> Restoring {
        guard try FileFacts(backup + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        try PathChecks.makeFolder(paths.folder)
        try PathChecks.folder(paths.folder)
        let held = HeldFiles([backup])
        defer { withExtendedLifetime(held) {} }
        let copy = try CopyFile.begin(beside: paths.vault, entropy)
        try copy.take(backup)
        let found = try Connection(copy.draft, .immutable).read { rows throws(StoreError) in
            (try rows.head().vaultID, try rows.slots().rows.map(\.kind))
        }
        return Restoring(
            vaultID: found.0,
            slots: found.1,
            paths: paths,
            copy: copy,
            entropy: entropy,
            now: now
        )
    }

    private init(
        vaultID: [UInt8],
        slots: [SlotKind],
        paths: VaultPaths,
        copy: consuming CopyFile,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.vaultID = vaultID
        self.slots = slots
        self.paths = paths
        self.copy = copy
        self.entropy = entropy
        self.now = now
    }

    /// Opens the backup with a secret of its own, and reads every record.
    ///
    /// - Throws: `wrongSecret`, `noSuchSlot`, `kdfOutOfBounds`; `tampered`, `corrupt`.
    package borrowing func open(_ unlock: Unlock) throws(StoreError) -> OpenedCopy {
        try OpenedCopy(copy.draft, by: unlock, entropy: entropy, now: now)
    }

    /// Replaces the vault by the backup, with a generation above all that this machine has seen.
    ///
    /// All records of the backup count as written before that generation.
    ///
    /// An existing vault is first copied to `kept` and then overwritten in one transaction, while other
    /// processes may have it open. An unreadable vault is renamed to `kept`.
    ///
    /// - Parameters:
    ///   - opened: the backup, opened with a secret of its own.
    ///   - kept: the path for the copy of the existing vault; nil if there is none.
    ///   - further: the position of this vault that another store remembers.
    ///   - acceptsRollback: whether a newer state of this vault may be undone.
    ///   - carrying: returns the facts of the newer existing vault, its first argument, that the backup must
    ///     not forget; nil if that vault is unreadable. `isWhole` says whether nothing newer than that vault
    ///     was ever seen.
    /// - Returns: the verification of the restored vault, and whether facts were carried over.
    /// - Throws: `rollback` and `fork` unless accepted; `rollback` always for a backup from before a change
    ///   of the vault key; `alreadyExists` for an existing vault without `kept`, an existing `kept`, or a log
    ///   without its vault; `notFound` for `kept` without a vault; `conflict` if another process committed
    ///   meanwhile; `busy`, `diskFull`, `io`.
    package consuming func place(
        _ opened: OpenedCopy,
        keepingAs kept: String?,
        further: AnchorText? = nil,
        acceptsRollback: Bool,
        carrying: (any RecordReader, any RecordReader, _ isWhole: Bool) -> [Change]? = { _, _, _ in nil }
    ) throws(StoreError) -> (report: VerifyReport, isCarried: Bool) {
        let isThere = try FileFacts(paths.vault) != nil
        guard isThere == (kept != nil) else { throw isThere ? .alreadyExists : .notFound }
        if !isThere { try FileStore.refuseStrayLog(paths) }
        if let kept, try FileFacts(kept) != nil { throw .alreadyExists }
        let anchor = Anchor(path: paths.anchor(vaultID), vaultID: vaultID)
        let live = try generationInPlace(opened)
        var newest = live
        let remembered = [try anchor.read(), further].compactMap(\.self).filter { $0.vaultID == vaultID }
        for seen in remembered {
            let accepts = acceptsRollback && seen.position.epoch == opened.report.position.epoch
            if !accepts { try seen.check(opened.report.position, tag: opened.report.headTag) }
            newest = max(newest, seen.position.generation)
        }
        // If no position is remembered, the existing vault itself shows what a restore would undo.
        let found = opened.report.position
        if !acceptsRollback, live > found.generation {
            throw .rollback(found: found, expected: Position(epoch: found.epoch, generation: live))
        }
        let changes = kept == nil ? nil : try carried(opened, at: live, remembered, carrying)
        let plan = try Connection(copy.draft, .draft).write { rows throws(StoreError) in
            try opened.sealer.observe(rows.head())
            let plan = try opened.sealer.planAcceptingRollback(
                above: newest,
                carrying: changes ?? [],
                rows
            )
            try rows.write(plan)
            return plan
        } committed: {
            opened.sealer.adopt($0)
        }
        if let kept {
            try replace(opened, keepingAs: kept, at: live)
        } else {
            try copy.finish(at: paths.vault)
        }
        try anchor.raise(to: plan.anchor)
        let connection = try Connection(paths.vault, .readWrite)
        let report = try connection.read { rows throws(StoreError) in
            try FileStore.verify(rows, opened.sealer)
        }
        // Removes the former records from the log too; if a process still reads them, a later checkpoint does
        // it.
        try? connection.truncateLog()
        return (report, changes != nil)
    }

    private borrowing func replace(
        _ opened: borrowing OpenedCopy,
        keepingAs kept: String,
        at live: UInt64
    ) throws(StoreError) {
        do throws(StoreError) {
            try PathChecks.vault(paths.vault)
            let present = try Connection(paths.vault, .readWrite)
            let keep = try CopyFile.begin(beside: kept, entropy)
            var isKept = false
            do throws(StoreError) {
                try present.takeAll(of: copy.draft) { () throws(StoreError) in
                    // The process that held the lock has committed; overwriting would undo that commit
                    // unseen, under its number.
                    guard try generationInPlace(opened) == live else { throw .conflict }
                    try Connection(paths.vault, .queryOnly).copy(into: keep.draft)
                    try keep.finish(at: kept)
                    isKept = true
                }
            } catch {
                // The vault was not replaced, so its copy is not needed.
                if isKept, error == .diskFull, (try? generationInPlace(opened)) == live {
                    unsafe unlink(kept)
                }
                throw error
            }
        } catch .notAVault, .schemaTampered, .corrupt, .readOnly {
            // SQLite says read-only for a file whose header says so; the folder itself is writable, as the
            // draft shows.
            try setAside(as: kept)
            try copy.finish(at: paths.vault)
        }
    }

    /// Renames an unreadable vault, with its log.
    private borrowing func setAside(as kept: String) throws(StoreError) {
        for ending in ["", "-wal", "-shm"] where try FileFacts(paths.vault + ending) != nil {
            try SystemCall.retry { unsafe rename(paths.vault + ending, kept + ending) }
        }
        try Folder.sync(paths.folder, or: StoreError.self)
    }
}
