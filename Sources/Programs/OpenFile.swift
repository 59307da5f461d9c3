internal import CLinux
package import Files
internal import Glibc

/// A file of a program held open, and closed with its last holder.
package typealias OpenFile = SecureFile<ProgramError>

extension SecureFile where Failure == ProgramError {
    /// The file as a stream, for as long as this value is held.
    package var descriptor: Descriptor { withNumber { Descriptor($0) } }

    /// Passes the stream to `body`, and stays open until that has returned.
    package func use<R: ~Copyable, E: Error>(_ body: (Descriptor) throws(E) -> R) throws(E) -> R {
        try withNumber { number throws(E) in try body(Descriptor(number)) }
    }

    /// A new file of mode 0600 in a folder, without a name: gone when it is closed.
    ///
    /// - Returns: nil where the file system has none, or where it could not be given a name.
    static func unnamed(in folder: String) throws(ProgramError) -> OpenFile? {
        guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
        let number = unsafe hsip_open_unnamed(folder)
        if number >= 0 { return OpenFile(owning: number) }
        // A kernel that does not know such files takes the folder itself for the file.
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno) else { throw ProgramError(errno: errno) }
        return nil
    }
}
