internal import Files
internal import VaultCrypto

/// What a sync needs beside the vault: a lock and git's copy of the remote, in `hsip/log/<log id>/` in the user's folder for
/// state (Schemas/carriers.md section 3).
package struct Shelf: Sendable {
    package let folder: String

    /// The shelf of a log below the user's folder for state, whether it exists or not; `logID` has 16 bytes.
    package init(stateFolder: String, logID: [UInt8]) {
        folder = "\(stateFolder)/hsip/log/\(Hex.encode(logID))"
    }

    /// Where git keeps its copy of the remote; git makes it.
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

    /// Takes the shelf for one sync; it is given back with the value.
    ///
    /// - Throws: `busy` when another sync has it for ten seconds.
    package func hold() throws(StoreError) -> HeldShelf {
        HeldShelf(file: try PathChecks.lockedFile("\(folder)/lock"))
    }
}

/// The shelf while one sync has it.
package struct HeldShelf {
    fileprivate let file: LocalFile
}
