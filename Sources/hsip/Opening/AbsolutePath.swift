internal import Console
internal import Glibc

/// A path as it holds wherever it is read again.
enum AbsolutePath {
    /// The path from the root, links and `..` left as they are.
    static func of(_ path: String) throws(Failure) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else {
            throw Failure(
                .unavailable,
                code: "unavailable",
                message: "the current folder is gone",
                hint: "cd"
            )
        }
        defer { unsafe free(folder) }
        let bare = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return unsafe "\(String(cString: folder))/\(bare)"
    }
}
