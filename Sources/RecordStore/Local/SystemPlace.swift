internal import CLinux
internal import Glibc

/// A file or a folder as it is found, for the question whether only the system could have put it there.
package struct SystemPlace: Equatable {
    /// FUSE_SUPER_MAGIC (linux/magic.h).
    private static let fuse = 0x6573_5546

    let owner: uid_t
    let mode: mode_t
    /// A program of a user answers for it, and says whatever it likes of owners and modes.
    let isMadeUp: Bool

    init(owner: uid_t, mode: mode_t, isMadeUp: Bool = false) {
        (self.owner, self.mode, self.isMadeUp) = (owner, mode, isMadeUp)
    }

    /// The file or folder at a path; nil if the path leads nowhere.
    init?(_ path: String) {
        var facts = stat()
        var system = statfs()
        guard unsafe lstat(path, &facts) == 0, unsafe statfs(path, &system) == 0 else { return nil }
        self.init(owner: facts.st_uid, mode: facts.st_mode, isMadeUp: Int(system.f_type) == Self.fuse)
    }

    /// Whether a program is the system's: it, the folder that it is in and those above belong to root, and no one else may
    /// change them.
    ///
    /// Everybody may write to a folder further up if only owners remove files there, as in `/tmp`.
    ///
    /// - Parameter path: without links.
    /// - Returns: whether no one but root could have put it there.
    package static func holds(_ path: String) -> Bool { holds(path) { SystemPlace($0) } }

    /// Like `holds(_:)`, with the facts that `look` returns for a path.
    static func holds(_ path: String, _ look: (String) -> SystemPlace?) -> Bool {
        guard path.hasPrefix("/"), let file = look(path), file.mode & S_IFMT == S_IFREG, file.isSolid else {
            return false
        }
        var folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        guard let own = look(folder.isEmpty ? "/" : String(folder)), own.isSolid else { return false }
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard let above = look(folder.isEmpty ? "/" : String(folder)),
                above.isSolid || above.isSticky
            else { return false }
        }
        return true
    }

    private var isSolid: Bool { owner == 0 && mode & 0o022 == 0 && !isMadeUp }
    private var isSticky: Bool { owner == 0 && mode & S_ISVTX != 0 && !isMadeUp }
}
