internal import CLinux
internal import Files
internal import Glibc

/// Checks before every open whether another user could read or change a vault (Schemas/vault-file.md section 1).
///
/// The checks change nothing; a failed check names the path and the reason. Between check and use, only this user could
/// change the files, and that is out of scope.
package enum PathChecks {
    /// Network file systems: a write-ahead log needs shared memory and locks that one host provides.
    private static let networkTypes: [UInt32] = [
        0x6969, 0xFE53_4D42, 0xFF53_4D42, 0x0102_1997, 0x5346_414F,
    ]

    /// Checks a folder of this user and its ancestors, and that its file system is suitable.
    package static func folder(_ path: String) throws(StoreError) {
        guard let facts = try FileFacts(path) else { throw .notFound }
        guard facts.isFolder else { throw .unsafeFile(path: path, .wrongType) }
        guard facts.isOwn else { throw .unsafeFile(path: path, .owner(uid: facts.owner)) }
        guard !facts.isShared else { throw .unsafeFile(path: path, .mode(facts.mode)) }
        try ancestors(of: path)
        try fileSystem(path)
    }

    /// Checks a file of this user; returns false if it does not exist.
    package static func file(_ path: String) throws(StoreError) -> Bool { try facts(ofFile: path) != nil }

    /// Checks a file of this user and returns its facts; nil if it does not exist.
    static func facts(ofFile path: String) throws(StoreError) -> FileFacts? {
        guard let facts = try FileFacts(path) else { return nil }
        guard facts.isFile else { throw .unsafeFile(path: path, .wrongType) }
        guard facts.isOwn else { throw .unsafeFile(path: path, .owner(uid: facts.owner)) }
        guard facts.links == 1 else { throw .unsafeFile(path: path, .hardLinks(facts.links)) }
        guard !facts.isShared else { throw .unsafeFile(path: path, .mode(facts.mode)) }
        return facts
    }

    /// Checks that every folder above belongs to root or this user, and that no other user can replace its contents.
    private static func ancestors(of path: String) throws(StoreError) {
        if path.hasPrefix("/") { try walkUp(from: path) }
        guard let resolved = Folder.resolved(path) else { throw SystemCall.failure }
        try walkUp(from: resolved)
    }

    /// A link on the way must belong to this user or root; its target is checked separately.
    private static func walkUp(from path: String) throws(StoreError) {
        var above = path
        while above != "/" {
            above = Folder.parent(of: above)
            guard let facts = try FileFacts(above) else { throw .notFound }
            guard facts.owner == 0 || facts.isOwn else {
                throw .unsafeFile(path: above, .owner(uid: facts.owner))
            }
            guard facts.isLink || !facts.letsOthersReplace else {
                throw .unsafeFile(path: above, .writableAncestor(mode: facts.mode))
            }
        }
    }

    private static func fileSystem(_ path: String) throws(StoreError) {
        var facts = statfs()
        guard unsafe statfs(path, &facts) == 0 else { throw SystemCall.failure }
        let type = UInt32(truncatingIfNeeded: facts.f_type)
        guard !networkTypes.contains(type) else { throw .unsuitableFileSystem(type: type) }
    }

    /// Creates a folder and its missing ancestors, with access only for this user.
    package static func makeFolder(_ path: String) throws(StoreError) {
        if try FileFacts(path) != nil { return }
        try makeFolder(Folder.parent(of: path))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemCall.failure }
    }

    /// Opens a file of this user for writing, creates it if it is missing, and locks it.
    ///
    /// - Throws: `unsafeFile`; `busy` after ten seconds; `diskFull`, `io`.
    package static func lockedFile(_ path: String) throws(StoreError) -> LocalFile {
        try makeFolder(Folder.parent(of: path))
        _ = try file(path)
        let file = try LocalFile(path, O_RDWR | O_CREAT)
        try file.lock(.alone)
        return file
    }
}
