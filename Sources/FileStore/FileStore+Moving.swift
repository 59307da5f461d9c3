internal import Files
internal import Glibc
package import RecordStore
internal import VaultCrypto

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
