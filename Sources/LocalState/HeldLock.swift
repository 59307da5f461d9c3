internal import Glibc
package import RecordStore

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
