internal import Glibc

/// How processes share the lock of a file.
package enum FileLock {
    /// With others that ask for it together.
    case shared
    /// With no other process.
    case alone

    fileprivate var kind: Int32 { self == .alone ? LOCK_EX : LOCK_SH }
}

/// The lock of an open file or folder (`flock`), which is given back when the file is closed.
extension SecureFile {
    /// How often a new name is tried, before it is given up that one stays.
    private static var maximumTried: Int { 100 }

    /// Locks the file; waits as long as a commit waits for another, ten seconds.
    ///
    /// - Throws: the error for `EWOULDBLOCK` if another process has it for longer, perhaps stopped in a
    ///   commit.
    package func lock(_ lock: FileLock) throws(Failure) {
        for _ in 0..<10_000 {
            if takeLock(lock) { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw Failure(errno: errno) }
            usleep(1_000)
        }
        throw Failure(errno: EWOULDBLOCK)
    }

    /// Locks the file if no other process has; false, with `errno`, if one has.
    package func takeLock(_ lock: FileLock) -> Bool { withNumber { flock($0, lock.kind | LOCK_NB) } == 0 }

    /// Gives the lock back; false if the system refuses.
    @discardableResult
    package func unlock() -> Bool { withNumber { flock($0, LOCK_UN) } == 0 }

    /// Makes a file or folder whose lock tells a sweep that it is in use.
    ///
    /// A sweep between the making and the lock removes the new one as abandoned. Then another one is made. If
    /// the file system has no locks, no sweep removes anything there.
    ///
    /// - Parameters:
    ///   - lock: How to lock it.
    ///   - make: Makes one and opens it; nil to be called again.
    /// - Returns: where it is, and the open file.
    /// - Throws: what `make` throws; the error for `EWOULDBLOCK` where one after the other is removed.
    package static func locked(
        _ lock: FileLock,
        _ make: () throws(Failure) -> (path: String, file: SecureFile)?
    ) throws(Failure) -> (path: String, file: SecureFile) {
        for _ in 0..<maximumTried {
            guard let made = try make() else { continue }
            // A sweep that has the lock removes it next; any other failure means that there are no locks.
            guard made.file.takeLock(lock) || errno != EWOULDBLOCK else { continue }
            if made.file.isInPlace(made.path) { return made }
        }
        throw Failure(errno: EWOULDBLOCK)
    }
}
