/// Why a file that holds a secret is not accepted.
package enum UnsafeFile: String, Equatable, Sendable {
    /// It belongs to another user.
    case notMine
    /// Its group or everyone may read or write it.
    case readableByOthers
    /// It is a folder, a device or something else that is no ordinary file.
    case notAFile
    /// It has no first line.
    case empty
}
