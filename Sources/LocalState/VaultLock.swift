internal import Glibc
package import RecordStore

/// The lock file of one vault: what programs agree on by who may change a store that knows no locks itself.
///
/// Readers take it together, writers alone (`flock`), for at most ten seconds. Each taking opens the file again,
/// so threads of one process exclude each other as processes do.
package struct VaultLock: Sendable {
    private let path: String
    private let vaultID: [UInt8]

    /// The lock of one vault; its folder is made, for us alone, where it is missing.
    ///
    /// - Throws: `unsafeFile`, `unsuitableFileSystem` for a folder that cannot hold a lock.
    package init(path: String, vaultID: [UInt8]) throws(StoreError) {
        self.path = path
        self.vaultID = vaultID
        try makeFolder()
    }

    private func makeFolder() throws(StoreError) {
        let folder = PathChecks.parent(of: path)
        try PathChecks.makeFolder(folder)
        try PathChecks.folder(folder)
    }

    /// Takes the lock together with other readers.
    ///
    /// - Throws: `busy` after ten seconds; `unsafeFile`.
    package func shared() throws(StoreError) -> HeldLock { try take(LOCK_SH) }

    /// Takes the lock alone.
    ///
    /// - Throws: `busy` after ten seconds; `unsafeFile`.
    package func exclusive() throws(StoreError) -> HeldLock { try take(LOCK_EX) }

    private func take(_ kind: Int32) throws(StoreError) -> HeldLock {
        while true {
            let file: Int32
            if let found = try openFile() { file = found } else { file = try openFileAnew() }
            do throws(StoreError) {
                try SystemCall.lock(file, kind)
                // Anyone who tidies runtime folders may have removed the file meanwhile: then a lock on it
                // excludes no later process.
                if try isPlace(of: file) { return HeldLock(file: file, vaultID: vaultID) }
            } catch {
                close(file)
                throw error
            }
            close(file)
        }
    }

    /// The file, made where it is missing; nil when its folder is missing.
    private func openFile() throws(StoreError) -> Int32? {
        _ = try PathChecks.file(path)
        do throws(StoreError) {
            return try SystemCall.retry {
                unsafe open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
        } catch {
            guard error == .notFound else { throw error }
            return nil
        }
    }

    /// The file after its folder went with a login.
    private func openFileAnew() throws(StoreError) -> Int32 {
        try makeFolder()
        guard let file = try openFile() else { throw .io(code: ENOENT) }
        return file
    }

    /// Whether the name still leads to the open file.
    private func isPlace(of file: Int32) throws(StoreError) -> Bool {
        var (named, opened) = (stat(), stat())
        try SystemCall.retry { unsafe fstat(file, &opened) }
        guard unsafe lstat(path, &named) == 0 else { return false }
        return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }
}
