internal import Glibc

/// Questions about names in the file system.
enum Path {
    /// Something of that name is there, even a link that leads nowhere.
    static func exists(_ path: String) -> Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0
    }

    /// What comes before the last slash.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
