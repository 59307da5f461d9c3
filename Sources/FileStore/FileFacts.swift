internal import Glibc
internal import RecordStore

/// What `lstat(2)` says about one name, never following a link.
struct FileFacts {
    let type: UInt32
    let mode: UInt32
    let owner: UInt32
    let links: UInt64
    let size: Int64

    /// The facts; nil when there is nothing of that name.
    init?(_ path: String) throws(StoreError) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else {
            if errno == ENOENT { return nil }
            throw SystemCall.failure
        }
        type = facts.st_mode & S_IFMT
        mode = facts.st_mode & 0o7777
        owner = facts.st_uid
        links = UInt64(facts.st_nlink)
        size = Int64(facts.st_size)
    }

    var isLink: Bool { type == S_IFLNK }
    var isFolder: Bool { type == S_IFDIR }
    var isFile: Bool { type == S_IFREG }
    /// Whether anybody but the owner may do anything with it.
    var isShared: Bool { mode & 0o077 != 0 }
    /// Whether others may replace names in this folder: the sticky bit keeps them to their own.
    var letsOthersReplace: Bool { mode & 0o022 != 0 && mode & 0o1000 == 0 }
}
