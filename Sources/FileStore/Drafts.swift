internal import Glibc
internal import LocalState
internal import RecordStore
internal import VaultCrypto

/// Files on their way to a name, `NAME.new-` and twelve hexadecimal digits, with what SQLite puts beside them.
enum Drafts {
    private static let endings = ["", "-journal", "-wal", "-shm"]
    /// Files that are made before it is given up that one of them stays.
    private static let maximumTried = 100

    /// Makes an empty one, with a lock by which a process that finds it sees that it is being written.
    ///
    /// A sweep that finds it before it has its lock removes it; then another one is made.
    ///
    /// - Throws: `busy` where one after the other is removed; `diskFull`, `io`.
    static func make(
        beside path: String,
        _ entropy: Entropy
    ) throws(StoreError) -> (path: String, descriptor: Int32) {
        for _ in 0..<maximumTried {
            let draft = "\(path).new-\(Hex.encode(entropy.bytes(6)))"
            let file = try SystemCall.retry {
                unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            // A sweep holds its own lock until it is done; where a file system has no locks it removes nothing.
            try? SystemCall.lock(file, LOCK_SH)
            if unsafe access(draft, F_OK) == 0 { return (draft, file) }
            close(file)
        }
        throw .busy
    }

    /// Those beside a name; none where the folder cannot be read.
    static func all(beside path: String) -> [String] {
        let folder = PathChecks.parent(of: path)
        let start = "\(path.split(separator: "/").last ?? "").new-"
        var found: [String] = []
        for name in (try? FolderNames.all(in: folder)) ?? [] {
            guard name.hasPrefix(start) else { continue }
            let number = name.dropFirst(start.count).prefix(12)
            let rest = String(name.dropFirst(start.count + number.count))
            guard Hex.decode(String(number))?.count == 6, ["", "-journal"].contains(rest) else { continue }
            found.append("\(folder)/\(name)")
        }
        return found
    }

    /// Removes those that a stopped program left: who writes one holds a lock of it.
    ///
    /// What cannot be removed stays for `doctor`.
    static func sweep(beside path: String) {
        for draft in all(beside: path) where !endings.dropFirst().contains(where: draft.hasSuffix) {
            let file = unsafe open(draft, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else { continue }
            for ending in endings { unsafe unlink(draft + ending) }
        }
    }
}

/// Files that no sweep takes for the draft of a stopped program while this is there.
///
/// A person may name such a draft as what is to be repaired or restored.
final class HeldFiles: Sendable {
    private let descriptors: [Int32]

    /// Files that cannot be opened are left out: who reads them says so.
    init(_ paths: [String]) {
        descriptors = paths.compactMap { path in
            let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { return nil }
            _ = flock(file, LOCK_SH | LOCK_NB)
            return file
        }
    }

    deinit { for file in descriptors { close(file) } }
}
