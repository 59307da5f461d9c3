internal import Glibc

/// Which file it is, whatever it is called.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path, links not followed; nil when there is none.
    init?(_ path: String) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return nil }
        device = UInt64(facts.st_dev)
        number = UInt64(facts.st_ino)
    }
}
