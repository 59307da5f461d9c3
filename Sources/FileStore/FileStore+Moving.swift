internal import Files
internal import Glibc
package import RecordStore
package import VaultCrypto

extension FileStore {
    /// Shows the newest state while no process can write: another process waits, as for a commit.
    ///
    /// - Parameter body: Is given a view and its place in the history; it must not call the store again.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; `readOnly` where commits are refused; `busy` after ten seconds;
    ///   `rollback` and `fork` when another copy went ahead.
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
            // Not held: anyone who has the write lock is the only one to raise it.
            if let seen = try anchor.read() { try seen.check(text.position, tag: text.tag) }
            return try body(SealedReader(sealer, rows, head), text.position)
        } committed: { _ in
        }
    }

    /// Takes away drafts that a stopped making left beside a vault's place; they are never opened.
    ///
    /// One of them may be a second name of the whole file: its making was stopped between its last two steps.
    package static func removeDrafts(at paths: VaultPaths) throws(StoreError) {
        guard try FileFacts(paths.folder) != nil else { return }
        try PathChecks.folder(paths.folder)
        for draft in CopyFile.all(beside: paths.vault) { try SystemCall.retry { unsafe unlink(draft) } }
    }

    /// Gives a vault file that is no longer used another name, with everything that is in its log.
    ///
    /// - Throws: `busy` when another process still reads it; `alreadyExists` when the name is taken.
    package static func moveAside(_ paths: VaultPaths, to path: String) throws(StoreError) {
        try emptyLog(of: paths)
        // The log is empty and of no use to the new name.
        for ending in ["-wal", "-shm"] { unsafe unlink(paths.vault + ending) }
        guard try FileFacts(path) == nil else { throw .alreadyExists }
        try SystemCall.retry { unsafe rename(paths.vault, path) }
    }

    /// Removes a vault file and its log; one that is gone is fine.
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
    /// Makes a vault that has every record of another store as it is there, at a later place in the history.
    ///
    /// The file gets its name only when it is whole and on the disk, and is given back for reading only. The
    /// anchor stays where it is, so the source goes on being the vault until `claim` is called.
    ///
    /// - Parameters:
    ///   - paths: Where the vault will lie, and its anchor does.
    ///   - vaultID: The id of the source, which the copy keeps.
    ///   - source: A view of the source; no process may write to it until the copy has taken its place.
    ///   - position: A key epoch above that of the source, and a generation above its own.
    ///   - slots: At least one slot of a portable kind.
    ///   - entropy: Where keys, salts and nonces come from.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: The copy, unlocked, for reading only.
    /// - Throws: As `create`; `newerRecord` and `invalidRecord` before anything is made, for records that
    ///   this program cannot carry over; what reading the source throws.
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

    /// Makes this copy the one that counts: the anchor is raised to it, and every older copy is refused as a
    /// `rollback` from now on.
    ///
    /// - Parameter last: Where the source was when it was copied.
    /// - Throws: `conflict` when something was committed to the source since, past its lock.
    package func claim(over last: Position? = nil) throws(StoreError) {
        let (connection, sealer) = try unlocked()
        let text = try connection.read { rows throws(StoreError) in
            let row = try rows.head()
            return AnchorText(row, try sealer.observe(row))
        }
        try anchor.raise(to: text, over: last)
    }
}
