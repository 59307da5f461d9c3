internal import Files
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// A vault file before it has its name: `NAME.new-` and twelve hexadecimal digits, with SQLite's files beside it.
typealias CopyFile = AtomicFile<StoreError>

extension AtomicFile where Failure == StoreError {
    private static var companions: [String] { ["-journal", "-wal", "-shm"] }

    /// Creates an empty file beside a path; a lock shows other processes that the file is being written.
    ///
    /// - Throws: `busy` if sweeps repeatedly remove the new file; `diskFull`, `io`.
    static func begin(beside path: String, _ entropy: Entropy) throws(StoreError) -> CopyFile {
        sweep(beside: path)
        let made = try LocalFile.locked(.shared) { () throws(StoreError) in
            let draft = "\(path).new-\(Hex.encode(entropy.bytes(6)))"
            return (draft, try LocalFile(draft, O_RDWR | O_CREAT | O_EXCL))
        }
        let copy = CopyFile(made.path, made.file, companions: companions)
        // The umask may have removed bits of the owner; no others are added.
        try copy.file.setMode(0o600)
        return copy
    }

    /// The drafts beside a path; empty if the folder cannot be read.
    static func all(beside path: String) -> [String] {
        let folder = Folder.parent(of: path)
        let start = "\(path.split(separator: "/").last ?? "").new-"
        var found: [String] = []
        for name in Folder.names(in: folder) ?? [] {
            guard name.hasPrefix(start) else { continue }
            let number = name.dropFirst(start.count).prefix(12)
            let rest = String(name.dropFirst(start.count + number.count))
            guard Hex.decode(String(number))?.count == 6, ["", "-journal"].contains(rest) else { continue }
            found.append("\(folder)/\(name)")
        }
        return found
    }

    /// Removes the drafts of stopped programs; a program that still writes a draft holds its lock.
    ///
    /// Drafts that cannot be removed stay for `doctor`.
    static func sweep(beside path: String) {
        for draft in all(beside: path) where !companions.contains(where: draft.hasSuffix) {
            guard let file = try? LocalFile(draft, O_RDONLY), file.takeLock(.alone) else { continue }
            for ending in [""] + companions { unsafe unlink(draft + ending) }
            withExtendedLifetime(file) {}
        }
    }

    /// Fills the file with the bytes of another one.
    ///
    /// - Throws: `notFound`; `unsafeFile` for anything but a file; `diskFull`, `io`.
    func take(_ path: String) throws(StoreError) {
        let source = try LocalFile(path, O_RDONLY, followsLinks: true)
        var done = 0
        while true {
            let chunk = try source.read(upTo: 1 << 20, at: done)
            guard !chunk.isEmpty else { return }
            try file.append(chunk)
            done += chunk.count
        }
    }

    /// Fills the file with the bytes of another one, and with zeros for blocks that cannot be read.
    ///
    /// - Parameters:
    ///   - source: The other file.
    ///   - isStopped: Whether to stop.
    /// - Returns: the number of unreadable blocks of 4 KiB.
    /// - Throws: `diskFull`, `io`; `cancelled`.
    func take(_ source: BlockSource, isStopped: () -> Bool) throws(StoreError) -> Int {
        var unreadable = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        for start in stride(from: 0, to: source.size, by: chunk.count) {
            guard !isStopped() else { throw .cancelled }
            let count = min(chunk.count, source.size - start)
            var span = chunk.mutableSpan
            var bytes = unsafe span.mutableBytes
            var part = bytes._mutatingExtracting(first: count)
            unreadable += source.read(at: start, into: &part)
            try file.append(chunk[..<count])
        }
        return unreadable
    }

    /// Syncs the file to the disk and gives it its name.
    ///
    /// - Throws: `alreadyExists` if a file has the name, unless it may be replaced.
    func finish(at path: String, replaces: Bool = false) throws(StoreError) {
        try file.sync()
        try place(at: path, replaces: replaces)
        try Folder.sync(Folder.parent(of: path), or: StoreError.self)
    }
}

/// Files that no sweep removes as drafts of a stopped program while this object exists.
///
/// A person may name such a draft as the file to repair or restore.
final class HeldFiles: Sendable {
    private let files: [LocalFile]

    /// Leaves out files that cannot be opened; reading them reports the error.
    init(_ paths: [String]) {
        files = paths.compactMap { try? LocalFile($0, O_RDONLY, followsLinks: true) }
        for file in files { _ = file.takeLock(.shared) }
    }
}

/// Puts a new vault at its path: completely, or not at all (Schemas/vault-file.md section 1).
enum Creation {
    /// Fills a file of another name, syncs it to the disk, and gives it the real name in one step.
    ///
    /// - Throws: `alreadyExists` if a file has the name, before or meanwhile.
    static func place(
        _ path: String,
        entropy: Entropy,
        filling fill: (SQLRows) throws(StoreError) -> Void
    ) throws(StoreError) {
        let file = try CopyFile.begin(beside: path, entropy)
        try write(file.draft, fill)
        try file.finish(at: path)
    }

    /// Fills an empty file in one transaction with a rollback journal, which leaves a single file behind.
    static func write(
        _ draft: String,
        _ fill: (SQLRows) throws(StoreError) -> Void
    ) throws(StoreError) {
        let database = try Database(draft)
        try database.execute(
            """
            PRAGMA page_size = 4096;
            PRAGMA auto_vacuum = NONE;
            PRAGMA journal_mode = DELETE;
            PRAGMA synchronous = FULL;
            PRAGMA trusted_schema = OFF;
            BEGIN IMMEDIATE;
            """
        )
        // Uncommitted changes vanish when the connection closes, and the file with them.
        try Schema.create(database)
        try fill(SQLRows(database: database))
        try database.run("COMMIT")
    }
}
