internal import Files
public import RecordStore
internal import VaultCrypto

extension FileStore: CopyReading {
    /// Reads a copy of the file whole, with the keys in memory.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - revisions: those of the records that the vault has now.
    /// - Returns: what the copy is.
    /// - Throws: as `CopyReading.readCopy`.
    public func readCopy(
        _ path: String,
        beside revisions: [Revision]
    ) throws(StoreError) -> CopyReport {
        // The vault itself is no copy of it.
        if let facts = try FileFacts(path), facts.identity == (try FileFacts(paths.vault))?.identity {
            throw .unsafeFile(path: path, .wrongType)
        }
        return try CopyInspector(unlocked().1).read(path, beside: revisions)
    }
}

extension CopyKey {
    /// Reads a copy of the vault whole, with this key.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - vaultID: The vault.
    ///   - revisions: Those of the records that the vault has now.
    /// - Returns: What the copy is.
    /// - Throws: As `CopyReading.readCopy`.
    package func readCopy(
        _ path: String,
        of vaultID: [UInt8],
        beside revisions: [Revision]
    ) throws(StoreError) -> CopyReport {
        try CopyInspector(sealer(vaultID, .system)).read(path, beside: revisions)
    }
}

extension CopyInspector {
    /// Reads a file whole that may be a copy of the vault.
    fileprivate func read(_ path: String, beside revisions: [Revision]) throws(StoreError) -> CopyReport {
        guard let facts = try FileFacts(path) else { throw .notFound }
        guard facts.isFile else { throw .unsafeFile(path: path, .wrongType) }
        guard try FileFacts(path + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        let reader = try reader
        let report = try Connection(path, .immutable).read { rows throws(StoreError) in
            let head = try rows.head()
            guard head.vaultID == reader.vaultID, head.epoch == reader.epoch else { throw .wrongSecret }
            return try FileStore.inspect(rows, reader)
        }
        return CopyReport(
            position: report.position,
            headTag: report.headTag,
            records: report.records,
            slots: report.slots,
            modified: try FileFacts.modified(path) / 1_000_000_000,
            damaged: report.damaged,
            newerHere: revisions.count { $0 > report.generation }
        )
    }
}
