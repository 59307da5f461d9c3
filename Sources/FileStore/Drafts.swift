internal import Glibc
internal import LocalState
internal import RecordStore
internal import VaultCrypto

/// Files on their way to a name, `NAME.new-` and twelve hexadecimal digits, with what SQLite puts beside them.
enum Drafts {
    private static let endings = ["", "-journal", "-wal", "-shm"]

    /// Those beside a name; none where the folder cannot be read.
    static func all(beside path: String) -> [String] {
        let folder = PathChecks.parent(of: path)
        let start = "\(path.split(separator: "/").last ?? "").new-"
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var found: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
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
