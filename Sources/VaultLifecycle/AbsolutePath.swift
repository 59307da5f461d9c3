internal import Glibc

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
