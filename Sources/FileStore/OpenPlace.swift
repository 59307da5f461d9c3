internal import Files
internal import Glibc
internal import RecordStore
internal import Synchronization

/// The files that a connection has open, and whether they still have their names.
final class OpenPlace: Sendable {
    /// The files beside the vault when the connection first used it.
    private struct SideFiles: Sendable {
        var logFile: FileFacts.Identity?
        var sharedFile: FileFacts.Identity?
        /// Bytes of the shared memory.
        var size: Int64 = 0
    }

    /// The least that SQLite maps of its shared memory.
    private static let leastShared: Int64 = 32_768

    private let path: String
    private let shared: String
    private let log: String
    private let isShared: Bool
    private let sideFiles = Mutex(SideFiles())

    /// The files that a connection to the vault at `path` has open.
    ///
    /// `isShared` says that the connection has a log and shared memory beside the vault.
    init(_ path: String, isShared: Bool) {
        self.path = path
        shared = path + "-shm"
        log = path + "-wal"
        self.isShared = isShared
    }

    /// Remembers the files beside the vault, which SQLite has open inside a transaction.
    func note() throws(StoreError) { _ = try compare() }

    /// Like `note`, before the first transaction reads anything.
    func noteFirst() throws(StoreError) {
        if sideFiles.withLock({ $0.logFile == nil }) { _ = try compare() }
    }

    /// Checks that the vault, its log and its shared memory are still the files that the connection has open.
    ///
    /// A commit into a file that was moved away would be lost, and so would its count.
    ///
    /// - Throws: `unsafeFile(_, .moved)`.
    func check(_ database: Database) throws(StoreError) {
        guard !database.hasMoved else { throw .unsafeFile(path: path, .moved) }
        if let moved = try compare() { throw .unsafeFile(path: moved, .moved) }
    }

    /// Restores the length of shared memory that was cut, filled with zeros.
    ///
    /// SQLite builds it again from the log. Reading beyond its end would end the process.
    func mendShared() throws(StoreError) {
        let (identity, size) = sideFiles.withLock { ($0.sharedFile, $0.size) }
        guard isShared, let identity, let facts = try FileFacts(shared), facts.identity == identity,
            facts.isFile, facts.size < size
        else { return }
        // Opens the file by its name: closing a descriptor would release the locks that SQLite holds on it.
        for length in [0, off_t(size)] { try SystemCall.retry { unsafe truncate(shared, length) } }
    }

    /// The path at which a different file is stored by now; nil if nothing has changed.
    private func compare() throws(StoreError) -> String? {
        guard isShared else { return nil }
        let (found, foundShared) = (try FileFacts(log), try FileFacts(shared))
        return sideFiles.withLock { sideFiles in
            if let facts = foundShared, facts.size >= Self.leastShared {
                sideFiles.size = max(sideFiles.size, facts.size)
            }
            let (before, beforeShared) = (sideFiles.logFile, sideFiles.sharedFile)
            if before == nil { sideFiles.logFile = found?.identity }
            if beforeShared == nil { sideFiles.sharedFile = foundShared?.identity }
            if let before, before != found?.identity { return log }
            if let beforeShared, beforeShared != foundShared?.identity { return shared }
            return nil
        }
    }
}
