internal import Glibc

/// Which file it is, whatever it is called.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path, links followed only where that is wanted; nil when there is none.
    init?(_ path: String, followsLinks: Bool = false) {
        var facts = stat()
        guard unsafe fstatat(AT_FDCWD, path, &facts, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
            return nil
        }
        device = UInt64(facts.st_dev)
        number = UInt64(facts.st_ino)
    }
}
