internal import Files
internal import RecordStore
internal import Synchronization

/// A file that stays open from one use to the next: to open it took longer than what is done with it.
///
/// One user at a time has it. A lock of the file belongs to the descriptor, so a second one opens the file anew and
/// waits for the first one's lock.
final class KeptFile: Sendable {
    private let kept = Mutex<LocalFile?>(nil)

    /// The open file, if it is this very file; nil where another file has the name by now, or the file is in use.
    func take(_ identity: FileFacts.Identity) -> LocalFile? {
        let file = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        return (try? file?.facts().identity) == identity ? file : nil
    }

    /// Gives its lock back and keeps it, unless one is kept already: then it is closed with its last holder.
    func keep(_ file: LocalFile) {
        kept.withLock { kept in if kept == nil, file.unlock() { kept = file } }
    }
}
