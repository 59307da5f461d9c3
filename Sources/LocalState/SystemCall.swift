internal import Glibc
package import RecordStore

/// Turns the answers of system calls into the store's errors.
package enum SystemCall {
    /// The error that the last system call left, by its number.
    package static var failure: StoreError { StoreError(errno: errno) }

    /// Repeats a call that a signal interrupted; throws on -1.
    @discardableResult
    package static func retry<Number: SignedInteger>(_ call: () -> Number) throws(StoreError) -> Number {
        while true {
            let result = call()
            guard result == -1 else { return result }
            guard errno == EINTR else { throw failure }
        }
    }

    /// Waits for the lock of a file (`flock`) as long as a commit waits for another, ten seconds, and no longer.
    ///
    /// - Throws: `busy`: another process holds it, perhaps stopped in the middle of a commit.
    package static func lock(_ file: Int32, _ kind: Int32) throws(StoreError) {
        for _ in 0..<10_000 {
            if flock(file, kind | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure }
            usleep(1_000)
        }
        throw .busy
    }
}

extension StoreError {
    /// What a number of errno means to a store.
    package init(errno code: Int32) {
        self =
            switch code {
            case ENOENT: .notFound
            case EEXIST: .alreadyExists
            // A limit on the size of files is one on room.
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EROFS: .readOnly
            case ENOMEM: .outOfMemory
            default: .io(code: code)
            }
    }
}
