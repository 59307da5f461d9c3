internal import Files
internal import VaultCrypto

/// The folder for what a sync keeps outside the vault (Schemas/carriers.md section 3).
///
/// It holds a lock and git's copy of the remote, and is `hsip/log/<log id>/` in the user's folder for state.
package struct LogStateFolder: Sendable {
    package let path: String

    /// The files of a log in the user's folder for state, whether they exist or not; `logID` has 16 bytes.
    package init(stateFolder: String, logID: [UInt8]) {
        path = "\(stateFolder)/hsip/log/\(Hex.encode(logID))"
    }

    /// The folder of git's copy of the remote; git makes it.
    package var gitFolder: String { "\(path)/git" }

    /// Makes what is missing of it, for the user alone.
    ///
    /// - Throws: `unsafeFile` where another user could change something.
    package func make() throws(StoreError) {
        try PathChecks.makeFolder(path)
        guard let facts = try FileFacts(path) else { throw .notFound }
        guard facts.isFolder else { throw .unsafeFile(path: path, .wrongType) }
        guard facts.isOwn else { throw .unsafeFile(path: path, .owner(uid: facts.owner)) }
        guard !facts.isShared else { throw .unsafeFile(path: path, .mode(facts.mode)) }
    }

    /// Locks the files for one sync, until the value is released.
    ///
    /// - Throws: `busy` if another sync holds the lock for ten seconds.
    package func hold() throws(StoreError) -> SyncLock {
        SyncLock(file: try PathChecks.lockedFile("\(path)/lock"))
    }
}

/// The lock of one sync.
package struct SyncLock {
    fileprivate let file: LocalFile
}
