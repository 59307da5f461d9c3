internal import Files
internal import Glibc
internal import RecordStore

extension PathChecks {
    /// Checks a vault, its log and its folders; `notFound` when there is no such file.
    static func vault(_ path: String) throws(StoreError) {
        try folder(Folder.parent(of: path))
        guard try file(path) else { throw .notFound }
        // SQLite looks at each of them, and would wait for a program that writes into a pipe.
        for ending in ["-wal", "-shm", "-journal"] { _ = try file(path + ending) }
    }

    /// Whether the vault can be written where it lies: the folder takes a log, the file takes changes.
    static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0 && access(Folder.parent(of: path), W_OK) == 0
    }
}
