internal import Files
internal import VaultCrypto

/// The files of a sync outside the vault (Schemas/carriers.md section 3).
///
/// They are a lock and git's copy of the remote, in `hsip/log/<log id>/` in the user's folder for state.
package struct SyncFolder: Sendable {
    package let folder: String

    /// The files of a log in the user's folder for state, whether they exist or not; `logID` has 16 bytes.
    package init(stateFolder: String, logID: [UInt8]) {
        folder = "\(stateFolder)/hsip/log/\(Hex.encode(logID))"
    }

    /// The folder of git's copy of the remote; git makes it.
    package var gitFolder: String { "\(folder)/git" }

    /// Makes what is missing of it, for the user alone.
    ///
    /// - Throws: `unsafeFile` where another user could change something.
    package func make() throws(StoreError) {
        try PathChecks.makeFolder(folder)
        guard let facts = try FileFacts(folder) else { throw .notFound }
        guard facts.isFolder else { throw .unsafeFile(path: folder, .wrongType) }
        guard facts.isOwn else { throw .unsafeFile(path: folder, .owner(uid: facts.owner)) }
        guard !facts.isShared else { throw .unsafeFile(path: folder, .mode(facts.mode)) }
    }

    /// Locks the files for one sync, until the value is released.
    ///
    /// - Throws: `busy` if another sync holds the lock for ten seconds.
    package func hold() throws(StoreError) -> SyncLock {
        SyncLock(file: try PathChecks.lockedFile("\(folder)/lock"))
    }
}

/// The lock of one sync.
package struct SyncLock {
    fileprivate let file: LocalFile
}
