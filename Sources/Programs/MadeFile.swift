internal import Glibc

/// A regular file that this program made under a name, so that it can take back that file and no other.
package struct MadeFile: Equatable, Sendable {
    private let path: String
    private let device: UInt64
    private let inode: UInt64

    package init(_ file: OpenFile, at path: String) throws(ProgramError) {
        var status = stat()
        let result = file.use { unsafe fstat($0.number, &status) }
        guard result == 0 else { throw ProgramError(errno: errno) }
        self.path = path
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Takes the file away, unless something else has its name by now.
    package func remove() {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode
        else { return }
        unsafe unlink(path)
    }
}
