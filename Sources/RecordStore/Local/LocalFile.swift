package import Files
internal import Glibc

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
}

/// A file of a store or beside it.
package typealias LocalFile = SecureFile<StoreError>

extension StoreError: FileFailure {
    /// Converts an error number of the system.
    package init(errno code: Int32) {
        self =
            switch code {
            case ENOENT: .notFound
            case EEXIST: .alreadyExists
            // A limit on file sizes counts as a full disk.
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EROFS: .readOnly
            case ENOMEM: .outOfMemory
            case EWOULDBLOCK: .busy
            default: .io(code: code)
            }
    }

    package static func wrongKind(_ path: String) -> StoreError { .unsafeFile(path: path, .wrongType) }
}

extension FileFacts {
    /// The facts of a name, without following a link; nil if the name is free.
    package init?(_ path: String) throws(StoreError) {
        guard let facts = FileFacts(at: path) else {
            if errno == ENOENT { return nil }
            if errno == EACCES { throw .unsafeFile(path: path, .hidden) }
            throw SystemCall.failure
        }
        self = facts
    }

    /// When the bytes of a file last changed, in nanoseconds of Unix time.
    ///
    /// - Throws: `notFound`, `io`.
    package static func modified(_ path: String) throws(StoreError) -> Int64 {
        var facts = stat()
        try SystemCall.retry { unsafe lstat(path, &facts) }
        return Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
    }
}
