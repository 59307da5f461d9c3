internal import CLinux
internal import Glibc

/// A file held open, and closed with its last holder.
package final class OpenFile {
    package let descriptor: Descriptor

    package init(_ path: String, _ flags: Int32) throws(ProgramError) {
        let number = unsafe open(path, flags | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { throw ProgramError(errno: errno) }
        descriptor = Descriptor(number)
    }

    private init(owning number: Int32) {
        descriptor = Descriptor(number)
    }

    /// A new file of mode 0600 in the same folder, with a name that is not in use.
    package static func temporary(beside path: String) throws(ProgramError) -> (path: String, file: OpenFile)
    {
        // mkstemp(3) puts letters of its own in the place of the six X.
        var name = Array("\(path).hsip-XXXXXX".utf8CString)
        let number = unsafe mkstemp(&name)
        guard number >= 0 else { throw ProgramError(errno: errno) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let made = name.dropLast().map { UInt8(bitPattern: $0) }
        return (String(decoding: made, as: UTF8.self), OpenFile(owning: number))
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

    /// Passes the descriptor to `body`, and stays open until that has returned.
    ///
    /// A descriptor alone does not hold its file: taken out of the last reference, it would be closed before it
    /// is used, and its number could be another file by then.
    package func use<R: ~Copyable, E: Error>(_ body: (Descriptor) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(descriptor)
    }

    /// Owner, mode and type.
    package func status() throws(ProgramError) -> (owner: UInt32, mode: UInt32, kind: UInt32) {
        defer { withExtendedLifetime(self) {} }
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { throw ProgramError(errno: errno) }
        return (status.st_uid, status.st_mode & 0o777, status.st_mode & S_IFMT)
    }

    deinit {
        close(descriptor.number)
    }
}
