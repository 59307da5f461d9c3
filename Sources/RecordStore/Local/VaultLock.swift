internal import Files
internal import Glibc

/// The lock file of one vault, for a store without locks: programs use it to agree on who may change the vault.
///
/// Readers share the lock, writers hold it alone (`flock`); both wait at most ten seconds. Each lock opens the file
/// again, so threads of one process exclude each other as processes do.
package struct VaultLock: Sendable {
    private let path: String
    private let vaultID: [UInt8]

    /// The lock of one vault; a missing folder is created with access only for this user.
    ///
    /// - Throws: `unsafeFile`, `unsuitableFileSystem` for a folder that cannot hold a lock.
    package init(path: String, vaultID: [UInt8]) throws(StoreError) {
        self.path = path
        self.vaultID = vaultID
        try makeFolder()
    }

    private func makeFolder() throws(StoreError) {
        let folder = Folder.parent(of: path)
        try PathChecks.makeFolder(folder)
        try PathChecks.folder(folder)
    }

    /// Locks the file together with other readers.
    ///
    /// - Throws: `busy` after ten seconds; `unsafeFile`.
    package func shared() throws(StoreError) -> HeldLock { try take(.shared) }

    /// Locks the file alone.
    ///
    /// - Throws: `busy` after ten seconds; `unsafeFile`.
    package func exclusive() throws(StoreError) -> HeldLock { try take(.alone) }

    private func take(_ lock: FileLock) throws(StoreError) -> HeldLock {
        while true {
            let file: LocalFile
            if let found = try openFile() { file = found } else { file = try openFileAnew() }
            try file.lock(lock)
            // Another program that tidies runtime folders may have removed the file meanwhile. A lock on a removed file
            // excludes no later process.
            if file.isInPlace(path) { return HeldLock(file: file, vaultID: vaultID) }
        }
    }

    /// The open file, created if it is missing; nil if its folder is missing.
    private func openFile() throws(StoreError) -> LocalFile? {
        _ = try PathChecks.file(path)
        do throws(StoreError) {
            return try LocalFile(path, O_RDWR | O_CREAT)
        } catch .notFound {
            return nil
        }
    }

    /// Creates the folder, which may have been removed at a logout, and opens the file.
    private func openFileAnew() throws(StoreError) -> LocalFile {
        try makeFolder()
        guard let file = try openFile() else { throw .io(code: ENOENT) }
        return file
    }
}

/// The lock of a vault, held until the value is released or `giveBack` is called.
package final class HeldLock {
    /// The content of the file; nil if it is not of this vault and this boot of the system.
    package private(set) var line: LockLine?
    private var file: LocalFile?

    /// Holds an open, locked file.
    init(file: LocalFile, vaultID: [UInt8]) {
        self.file = file
        guard let bytes = try? file.read(upTo: LockLine.size + 1), let line = LockLine(bytes),
            line.vaultID == vaultID, line.bootID == BootID.current
        else { return }
        self.line = line
    }

    /// Replaces the content of the file; only for the sole holder of the lock.
    package func write(_ line: LockLine) throws(StoreError) {
        guard let file else { throw .io(code: EBADF) }
        try file.write(line.encoded, at: 0)
        // The former content may be longer than a line.
        try file.cut(to: LockLine.size)
        self.line = line
    }

    /// Releases the lock, even if others still refer to this value.
    package func giveBack() { file = nil }
}
