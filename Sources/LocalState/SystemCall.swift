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
}

extension StoreError {
    /// What a number of errno means to a store.
    package init(errno code: Int32) {
        self =
            switch code {
            case ENOENT: .notFound
            case EEXIST: .alreadyExists
            case ENOSPC, EDQUOT: .diskFull
            case EROFS: .readOnly
            case ENOMEM: .outOfMemory
            default: .io(code: code)
            }
    }
}
