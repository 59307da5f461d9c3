internal import Glibc
internal import Synchronization

/// Which process the library was started in.
///
/// Its threads and locks are not in a child made by fork(2): a thread that waited there for them would wait for ever. So a
/// child is turned away before anything is touched that it shares with its parent.
enum OwnProcess {
    private static let owner = Atomic<pid_t>(0)
    private static let isCopy = Atomic<Bool>(false)

    /// Makes this process the one of the library, or says that it is already.
    ///
    /// - Returns: false in a child of the process where a vault was opened before.
    static func claim() -> Bool {
        let (isFirst, owner) = owner.compareExchange(
            expected: 0,
            desired: getpid(),
            ordering: .sequentiallyConsistent
        )
        guard isFirst else { return owner == getpid() && !isCopy.load(ordering: .relaxed) }
        // A number may come again in a later child, so a child is marked as well.
        pthread_atfork(nil, nil) { OwnProcess.isCopy.store(true, ordering: .relaxed) }
        return true
    }

    /// Whether a vault may have been opened in this process; where none was, nothing was forked either.
    static var isOwn: Bool {
        let owner = owner.load(ordering: .relaxed)
        return owner == 0 || owner == getpid() && !isCopy.load(ordering: .relaxed)
    }
}
