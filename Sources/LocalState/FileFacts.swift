internal import Glibc
package import RecordStore

/// What `lstat(2)` says about one name, never following a link.
package struct FileFacts {
    package let type: UInt32
    package let mode: UInt32
    package let owner: UInt32
    package let links: UInt64
    package let size: Int64
    /// When its bytes last changed, in nanoseconds of Unix time.
    package let modified: Int64
    /// Which file it is, whatever it is called.
    package let identity: Identity

    /// A file by its device and number.
    package struct Identity: Equatable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    /// The facts; nil when there is nothing of that name.
    package init?(_ path: String) throws(StoreError) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else {
            if errno == ENOENT { return nil }
            if errno == EACCES { throw .unsafeFile(path: path, .hidden) }
            throw SystemCall.failure
        }
        type = facts.st_mode & S_IFMT
        mode = facts.st_mode & 0o7777
        owner = facts.st_uid
        links = UInt64(facts.st_nlink)
        size = Int64(facts.st_size)
        modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
        identity = Identity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
    }

    package var isLink: Bool { type == S_IFLNK }
    package var isFolder: Bool { type == S_IFDIR }
    package var isFile: Bool { type == S_IFREG }
    /// Whether it belongs to this user.
    package var isOwn: Bool { owner == geteuid() }
    /// Whether anybody but the owner may do anything with it.
    package var isShared: Bool { mode & 0o077 != 0 }
    /// Whether others may replace names in this folder: the sticky bit keeps them to their own.
    package var letsOthersReplace: Bool { mode & 0o022 != 0 && mode & 0o1000 == 0 }
}
