internal import Files
internal import Glibc
package import RecordStore
package import VaultCrypto

extension FileStore {
    /// Shows the newest state while no other process can write; it waits for a process that does.
    ///
    /// - Parameter body: Gets a view and its position in the history; it must not call the store again.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; `readOnly` if commits are refused; `busy` after ten seconds; `rollback` and `fork`
    ///   if another copy has newer commits.
    package func hold<R>(
        _ body: (any RecordReader, Position) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        guard !isReadOnly else { throw .readOnly }
        let (connection, sealer) = try unlocked()
        // Nothing is written, so the end of the transaction changes nothing.
        return try connection.write { rows throws(StoreError) in
            let row = try rows.head()
            let head = try sealer.observe(row)
            let text = AnchorText(row, head)
            // No lock on the anchor is needed: only the process with the write lock raises it.
            if let seen = try anchor.read() { try seen.check(text.position, tag: text.tag) }
            return try body(SealedReader(sealer, rows, head), text.position)
        } committed: { _ in
        }
    }

    /// Removes drafts that an interrupted creation left beside a vault's path; they are never opened.
    ///
    /// A draft may be a second name of the whole vault file, if the creation stopped between its last two steps.
    package static func removeDrafts(at paths: VaultPaths) throws(StoreError) {
        guard try FileFacts(paths.folder) != nil else { return }
        try PathChecks.folder(paths.folder)
        for draft in CopyFile.all(beside: paths.vault) { try SystemCall.retry { unsafe unlink(draft) } }
    }

    /// Renames a vault file that programs use no longer, after moving everything from its log into it.
    ///
    /// - Throws: `busy` if another process still reads it; `alreadyExists` if a file has the new name.
    package static func moveAside(_ paths: VaultPaths, to path: String) throws(StoreError) {
        try emptyLog(of: paths)
        // The log is empty and not needed under the new name.
        for ending in ["-wal", "-shm"] { unsafe unlink(paths.vault + ending) }
        guard try FileFacts(path) == nil else { throw .alreadyExists }
        try SystemCall.retry { unsafe rename(paths.vault, path) }
    }

    /// Removes a vault file and its log; does nothing if they are missing.
    package static func remove(_ path: String) throws(StoreError) {
        for ending in ["", "-wal", "-shm"] {
            if unsafe unlink(path + ending) != 0, errno != ENOENT { throw SystemCall.failure }
        }
    }

    private static func emptyLog(of paths: VaultPaths) throws(StoreError) {
        try PathChecks.vault(paths.vault)
        try Connection(paths.vault, .readWrite).truncateLog()
    }
}

extension FileStore {
    /// Creates a vault with every record of another store unchanged, at a later position in the history.
    ///
    /// The file gets its name only when it is complete and on the disk, and is returned for reading only. The anchor
    /// does not change, so the source remains the vault until `claim` is called.
    ///
    /// - Parameters:
    ///   - paths: The paths of the new vault and its anchor.
    ///   - vaultID: The id of the source, which the copy keeps.
    ///   - source: A view of the source; no process may write to it until the copy has replaced it.
    ///   - position: A key epoch above the source's, and a generation above the source's.
    ///   - slots: At least one slot of a portable kind.
    ///   - entropy: Where keys, salts and nonces come from.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: The copy, unlocked, for reading only.
    /// - Throws: As `create`; `newerRecord` and `invalidRecord`, before anything is created, for records that this
    ///   program cannot copy; what reading the source throws.
    package static func create(
        at paths: VaultPaths,
        vaultID: [UInt8],
        adopting source: any RecordReader,
        position: Position,
        slots: [NewSlot],
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> FileStore {
        try prepare(paths)
        guard position.generation > source.generation else { throw .conflict }
        let vaultKey: SecretBytes
        do { vaultKey = try entropy.secret(VaultKeys.vaultKeySize) } catch { throw StoreError(error) }
        let keys = try VaultKeys(vaultKey: vaultKey)
        let keyslots = try make(
            slots,
            vaultKey: vaultKey,
            keys: keys,
            vaultID: vaultID,
            epoch: position.epoch,
            time: now(),
            entropy: entropy
        )
        let empty = try Adoption(
            keys: keys,
            vaultID: vaultID,
            position: position,
            floor: source.floor,
            slots: keyslots,
            entropy: entropy
        )
        let order = try empty.order(source.list(nil))
        try Creation.place(paths.vault, entropy: entropy) { rows throws(StoreError) in
            var adoption = try Adoption(
                keys: keys,
                vaultID: vaultID,
                position: position,
                floor: source.floor,
                slots: keyslots,
                entropy: entropy
            )
            for info in order {
                guard let record = try source.find(info.id), record.info == info else { throw .conflict }
                try rows.insert(adoption.seal(record))
            }
            try rows.create(adoption.finish(), keyslots)
        }
        return try Opening(paths, OpenOptions(readOnly: true)).open(entropy, now) {
            _,
            _ throws(StoreError) in FoundKeys(made: keys)
        }
    }

    /// Makes this copy the valid vault: the anchor is raised to it, and from then on every older copy is refused as a
    /// `rollback`.
    ///
    /// - Parameter last: The position of the source when it was copied.
    /// - Throws: `conflict` if another process committed to the source since, despite its lock.
    package func claim(over last: Position? = nil) throws(StoreError) {
        let (connection, sealer) = try unlocked()
        let text = try connection.read { rows throws(StoreError) in
            let row = try rows.head()
            return AnchorText(row, try sealer.observe(row))
        }
        try anchor.raise(to: text, over: last)
    }
}
