internal import Glibc
internal import LocalState
internal import RecordStore
internal import Synchronization

/// The files that a connection has open, and whether they still lie at their names.
final class OpenPlace: Sendable {
    /// What lay beside the vault when the connection first used it.
    private struct SideFiles: Sendable {
        var identities: [String: FileFacts.Identity] = [:]
        /// Bytes of the shared memory.
        var shared: Int64 = 0
    }

    /// The least that SQLite maps of its shared memory.
    private static let leastShared: Int64 = 32_768

    private let path: String
    private let isShared: Bool
    private let sideFiles = Mutex(SideFiles())

    /// The files that a connection to the vault at `path` has open.
    ///
    /// `isShared` says that the connection has a log and shared memory beside the vault.
    init(_ path: String, isShared: Bool) {
        self.path = path
        self.isShared = isShared
    }

    /// Remembers what lies beside the vault, inside a transaction: SQLite has it open then.
    func note() throws(StoreError) { _ = try compare() }

    /// Finds that the vault, its log and its shared memory are those that the connection has open.
    ///
    /// A commit into a file that was taken away would be lost, and what it counted with it.
    ///
    /// - Throws: `unsafeFile(_, .moved)`.
    func check(_ database: Database) throws(StoreError) {
        guard !database.hasMoved else { throw .unsafeFile(path: path, .moved) }
        if let moved = try compare() { throw .unsafeFile(path: moved, .moved) }
    }

    /// Gives shared memory that somebody cut its length back, empty, before it is looked at.
    ///
    /// SQLite builds it anew from the log. A look beyond its end would end the process.
    func mendShared() throws(StoreError) {
        let name = path + "-shm"
        let (identity, size) = sideFiles.withLock { ($0.identities[name], $0.shared) }
        guard isShared, let identity, let facts = try FileFacts(name), facts.identity == identity,
            facts.isFile, facts.size < size
        else { return }
        // By its name: closing a descriptor of it would give back the locks that SQLite holds on it.
        for length in [0, off_t(size)] { try SystemCall.retry { unsafe truncate(name, length) } }
    }

    /// The name under which something else lies by now; nil where all is as it was.
    private func compare() throws(StoreError) -> String? {
        guard isShared else { return nil }
        for ending in ["-wal", "-shm"] {
            let name = path + ending
            let facts = try FileFacts(name)
            let isSame = sideFiles.withLock { sideFiles in
                if ending == "-shm", let facts, facts.size >= Self.leastShared {
                    sideFiles.shared = max(sideFiles.shared, facts.size)
                }
                guard let before = sideFiles.identities[name] else {
                    sideFiles.identities[name] = facts?.identity
                    return true
                }
                return before == facts?.identity
            }
            if !isSame { return name }
        }
        return nil
    }
}
