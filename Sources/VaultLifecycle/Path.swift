internal import CLinux
internal import Files
internal import Glibc

/// Questions about names in the file system.
package enum Path {
    /// What a name leads to, links followed.
    package enum Kind {
        case file, folder
        /// Gives its bytes when the program at the other end does.
        case pipe
        /// A socket or a device.
        case other
    }

    /// The kind of file that a path leads to, links followed; nil if nothing is there or can be seen.
    package static func kind(_ path: String) -> Kind? {
        guard let facts = FileFacts(at: path, followsLinks: true) else { return nil }
        return switch facts.type {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFIFO: .pipe
        default: .other
        }
    }

    /// Whether something exists at the path, even a link that leads nowhere; also true if the folder may not be
    /// entered.
    package static func exists(_ path: String) -> Bool {
        FileFacts(at: path) != nil || errno == EACCES
    }

    /// Whether the path is an ordinary file.
    package static func isFile(_ path: String) -> Bool { FileFacts(at: path)?.isFile ?? false }

    /// Whether the path is a folder, or a link that leads to a folder.
    package static func isFolder(_ path: String) -> Bool {
        kind(path) == .folder
    }

    /// Bytes of an ordinary file; nil for anything else.
    package static func size(_ path: String) -> Int? {
        FileFacts(at: path, followsLinks: true).flatMap { $0.isFile ? Int($0.size) : nil }
    }

    /// The permission bits of a file or folder of ours; nil for anything else.
    package static func mode(_ path: String) -> UInt32? {
        FileFacts(at: path).flatMap { $0.isOwn && ($0.isFile || $0.isFolder) ? $0.mode : nil }
    }

    /// The names in a folder, in order; none when it cannot be read.
    package static func names(in folder: String) -> [String] {
        listing(of: folder) ?? []
    }

    /// The names in a folder, in order; nil when it cannot be read.
    package static func listing(of folder: String) -> [String]? { Folder.names(in: folder)?.sorted() }

    /// The number of the file system behind a name.
    package static func fileSystem(of path: String) -> UInt32? {
        var facts = statfs()
        guard unsafe statfs(path, &facts) == 0 else { return nil }
        return UInt32(truncatingIfNeeded: facts.f_type)
    }

    /// How many bytes an ordinary user may still write to the file system of a path.
    package static func freeBytes(_ path: String) -> UInt64? {
        var facts = statfs()
        guard unsafe statfs(path, &facts) == 0 else { return nil }
        return UInt64(facts.f_bavail) * UInt64(facts.f_bsize)
    }

    /// Removes a name, if it exists.
    package static func remove(_ path: String) {
        unsafe unlink(path)
    }

    /// The first bytes of a small file; nil if it cannot be read or is not an ordinary file.
    package static func beginning(of path: String) -> String? {
        let file = try? SecureFile<SystemFailure>(path, O_RDONLY, followsLinks: true)
        return (try? file?.read(upTo: 4_096)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The path with all links resolved; nil if it leads nowhere.
    package static func resolved(_ path: String) -> String? { Folder.resolved(path) }

    /// The folder of a path: the part before the last slash.
    package static func folder(of path: String) -> String {
        Folder.parent(of: path)
    }

    /// Whether two paths lead to the same file.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        guard let first = FileFacts.identity(behind: one) else { return false }
        return first == FileFacts.identity(behind: other)
    }
}

/// A path as it holds wherever it is read again.
package enum AbsolutePath {
    /// The path from the root, links and `..` left as they are.
    package static func of(_ path: String) throws(OpeningError) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else {
            throw .noCurrentFolder
        }
        defer { unsafe free(folder) }
        let bare = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return unsafe "\(String(cString: folder))/\(bare)"
    }
}
