internal import Glibc

/// File names as people give them, and as scripts want them back.
enum Paths {
    /// The path from the root; of a relative one, from the folder the program was started in.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        let base = unsafe String(cString: folder)
        return base == "/" ? "/\(path)" : "\(base)/\(path)"
    }
}
