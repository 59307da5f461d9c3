internal import Glibc
internal import RecordStore
internal import Synchronization

/// A file that stays open from one use to the next: to open it took longer than what is done with it.
///
/// One user at a time has it. A lock of the file belongs to the descriptor, so a second one opens the file anew and
/// waits for the first one's lock.
final class KeptFile: Sendable {
    private struct Kept {
        let file: Int32
        let identity: FileFacts.Identity
    }

    private let kept = Mutex<Kept?>(nil)

    /// The descriptor, if it is of this very file; nil where another file has the name by now, or the descriptor is in use.
    func take(_ identity: FileFacts.Identity) -> Int32? {
        let kept = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        guard let kept else { return nil }
        if kept.identity == identity, (try? FileFacts(of: kept.file).identity) == identity {
            return kept.file
        }
        close(kept.file)
        return nil
    }

    /// Gives its lock back and keeps it, or closes it: where one is kept already, or it is not known which file it is.
    func keep(_ file: Int32) {
        let identity = try? FileFacts(of: file).identity
        let isKept = kept.withLock { kept in
            guard kept == nil, let identity, flock(file, LOCK_UN) == 0 else { return false }
            kept = Kept(file: file, identity: identity)
            return true
        }
        if !isKept { close(file) }
    }

    deinit {
        if let kept = kept.withLock({ $0 }) { close(kept.file) }
    }
}
