internal import Files
internal import Glibc
package import RecordStore
package import VaultCrypto

/// A backup on its way into the place of a vault (Schemas/vault-file.md section 6).
///
/// It is copied beside that place first, and verified with its own secrets; nothing that is there is touched before
/// `place`. What was not placed leaves nothing behind.
package struct Restoring: ~Copyable {
    /// 16 bytes: which vault it is a backup of.
    package let vaultID: [UInt8]
    /// The kinds of its key slots.
    package let slots: [SlotKind]
    let paths: VaultPaths
    let copy: CopyFile
    let entropy: Entropy
    let now: @Sendable () -> UInt64

    /// Copies a backup beside the place of a vault.
    ///
    /// - Throws: `readOnlyWithLog` for a file with a log beside it, which is no backup; `notFound`; `unsafeFile`;
    ///   `notAVault`, `newerFormat`, `schemaTampered`, `corrupt`; `diskFull`.
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

    /// Opens it with a secret of its own, and reads everything in it.
    ///
    /// - Throws: `wrongSecret`, `noSuchSlot`, `kdfOutOfBounds`; `tampered`, `corrupt`.
    package borrowing func open(_ unlock: Unlock) throws(StoreError) -> OpenedCopy {
        try OpenedCopy(copy.draft, by: unlock, entropy: entropy, now: now)
    }

    /// Puts it in its place, as a state above all that was seen here, before which all its records lie.
    ///
    /// Where there is a vault it is written over in one transaction, while other processes have it open,
    /// after a copy of it was made; one that cannot be read is given the name of the copy as it is.
    ///
    /// - Parameters:
    ///   - opened: the backup, opened with a secret of its own.
    ///   - kept: where the copy of what is there goes; nil where nothing is.
    ///   - further: what is remembered of this vault elsewhere.
    ///   - acceptsRollback: whether something newer of this vault may have been seen here.
    ///   - carrying: works out what of a newer vault in place, the first view, the backup must not forget; it
    ///     is told whether nothing newer than that vault was ever seen, and answers nil for a vault that
    ///     cannot be read.
    /// - Returns: what is in place now, and whether such facts were carried.
    /// - Throws: `rollback` and `fork` unless that is accepted; `rollback` in any case for a backup from
    ///   before the vault key changed; `alreadyExists` for a vault or a copy that was not named, or a log
    ///   that has lost its vault; `conflict` when something was committed meanwhile; `busy`, `diskFull`, `io`.
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
        // Where nothing is remembered, the vault itself tells what would be undone.
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
        // What was there before goes from the log, too; while a process reads in it, it goes later.
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
                    // The process that was waited for has committed: that would be undone unseen, under its own number.
                    guard try generationInPlace(opened) == live else { throw .conflict }
                    try Connection(paths.vault, .queryOnly).copy(into: keep.draft)
                    try keep.finish(at: kept)
                    isKept = true
                }
            } catch {
                // Nothing took the vault's place, so the copy of it is no copy of anything that is gone.
                if isKept, error == .diskFull, (try? generationInPlace(opened)) == live {
                    unsafe unlink(kept)
                }
                throw error
            }
        } catch .notAVault, .schemaTampered, .corrupt, .readOnly {
            // Read-only is what SQLite calls a file whose head says so: the folder takes files, as the copy lies in it.
            try setAside(as: kept)
            try copy.finish(at: paths.vault)
        }
    }

    /// Gives what cannot be read another name, with its log.
    private borrowing func setAside(as kept: String) throws(StoreError) {
        for ending in ["", "-wal", "-shm"] where try FileFacts(paths.vault + ending) != nil {
            try SystemCall.retry { unsafe rename(paths.vault + ending, kept + ending) }
        }
        try Folder.sync(paths.folder, or: StoreError.self)
    }
}
