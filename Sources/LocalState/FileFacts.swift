internal import CLinux
internal import Glibc
package import RecordStore

/// What `statx(2)` says about one name, never following a link.
///
/// It does not ask for times. A write after a program asked for a file's times gives it a new one, which costs the
/// next `fdatasync(2)` a second write: a commit looks at its log each time, and took a fifth longer.
package struct FileFacts {
    package let type: UInt32
    package let mode: UInt32
    package let owner: UInt32
    package let links: UInt64
    package let size: Int64
    /// Which file it is, whatever it is called.
    package let identity: Identity

    /// A file by its device and number.
    package struct Identity: Equatable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    /// The facts; nil when there is nothing of that name.
    package init?(_ path: String) throws(StoreError) {
        var facts = hsip_facts()
        guard unsafe hsip_look(path, &facts) == 0 else {
            if errno == ENOENT { return nil }
            if errno == EACCES { throw .unsafeFile(path: path, .hidden) }
            throw SystemCall.failure
        }
        self.init(facts)
    }

    /// The facts of an open file.
    init(of file: Int32) throws(StoreError) {
        var facts = hsip_facts()
        try SystemCall.retry { unsafe hsip_look_open(file, &facts) }
        self.init(facts)
    }

    private init(_ facts: hsip_facts) {
        type = facts.mode & S_IFMT
        mode = facts.mode & 0o7777
        owner = facts.owner
        links = UInt64(facts.links)
        size = Int64(clamping: facts.size)
        identity = Identity(device: facts.device, number: facts.number)
    }

    /// When the bytes of a file last changed, in nanoseconds of Unix time.
    ///
    /// - Throws: `notFound`, `io`.
    package static func modified(_ path: String) throws(StoreError) -> Int64 {
        var facts = stat()
        try SystemCall.retry { unsafe lstat(path, &facts) }
        return Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
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
