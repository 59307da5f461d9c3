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

/// The lock of a vault while it is held; it goes with the value, or when it is given back.
package final class HeldLock {
    /// What the file says; nil when that is nothing of this vault and of this run of the system.
    package private(set) var line: LockLine?
    private var file: Int32

    /// Takes over an open, locked file.
    init(file: Int32, vaultID: [UInt8]) {
        self.file = file
        var bytes = [UInt8](repeating: 0, count: LockLine.size + 1)
        let count = unsafe pread(file, &bytes, bytes.count, 0)
        guard count == LockLine.size, let line = LockLine(Array(bytes.prefix(count))),
            line.vaultID == vaultID, line.bootID == BootID.current
        else { return }
        self.line = line
    }

    /// Replaces what the file says; only for the sole holder of the lock.
    package func write(_ line: LockLine) throws(StoreError) {
        defer { withExtendedLifetime(self) {} }
        let bytes = line.encoded
        let count = try SystemCall.retry { unsafe pwrite(file, bytes, bytes.count, 0) }
        guard count == bytes.count else { throw .diskFull }
        // What stood there may have been longer than a line.
        try SystemCall.retry { ftruncate(file, off_t(bytes.count)) }
        self.line = line
    }

    /// Gives the lock back, even if others still refer to this value.
    package func giveBack() {
        guard file >= 0 else { return }
        close(file)
        file = -1
    }

    deinit { giveBack() }
}
