internal import CLinux
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

    /// What a name leads to in the end; nil where there is nothing, or nothing may be seen.
    package static func kind(_ path: String) -> Kind? {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        return switch facts.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFIFO: .pipe
        default: .other
        }
    }

    /// Something of that name is there, even a link that leads nowhere; also where that cannot be seen, because the
    /// folder may not be entered.
    package static func exists(_ path: String) -> Bool {
        facts(path) != nil || errno == EACCES
    }

    /// An ordinary file of that name is there.
    package static func isFile(_ path: String) -> Bool {
        facts(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }

    /// A folder of that name is there, or a link that leads to one.
    package static func isFolder(_ path: String) -> Bool {
        kind(path) == .folder
    }

    /// Bytes of an ordinary file; nil for anything else.
    package static func size(_ path: String) -> Int? {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(facts.st_size)
    }

    /// The permission bits of a file or folder of ours; nil for anything else.
    package static func mode(_ path: String) -> UInt32? {
        guard let facts = facts(path), facts.st_uid == geteuid() else { return nil }
        let type = facts.st_mode & S_IFMT
        return type == S_IFREG || type == S_IFDIR ? facts.st_mode & 0o7777 : nil
    }

    /// The names in a folder, in order; none when it cannot be read.
    package static func names(in folder: String) -> [String] {
        listing(of: folder) ?? []
    }

    /// The names in a folder, in order; nil when it cannot be read.
    package static func listing(of folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names.sorted()
    }

    /// The number of the file system behind a name.
    package static func fileSystem(of path: String) -> UInt32? {
        var facts = statfs()
        guard unsafe statfs(path, &facts) == 0 else { return nil }
        return UInt32(truncatingIfNeeded: facts.f_type)
    }

    /// What an ordinary user may still write there.
    package static func freeBytes(_ path: String) -> UInt64? {
        var facts = statfs()
        guard unsafe statfs(path, &facts) == 0 else { return nil }
        return UInt64(facts.f_bavail) * UInt64(facts.f_bsize)
    }

    /// Takes a name away; that it was not there is as good.
    package static func remove(_ path: String) {
        unsafe unlink(path)
    }

    /// The first bytes of a small file; nil for one that cannot be read, and for what is no ordinary file.
    package static func beginning(of path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(file, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// What comes before the last slash.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether two paths lead to the same file.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static func facts(_ path: String) -> stat? {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 ? facts : nil
    }
}
