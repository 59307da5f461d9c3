internal import LocalState
public import RecordStore

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
        guard let facts = try FileFacts(path) else { throw .notFound }
        // The vault itself is no copy of it.
        guard facts.isFile, facts.identity != (try FileFacts(paths.vault))?.identity else {
            throw .unsafeFile(path: path, .wrongType)
        }
        guard try FileFacts(path + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        let (_, sealer) = try unlocked()
        let reader = try CopyInspector(sealer).reader
        let report = try Connection(path, .immutable).read { rows throws(StoreError) in
            let head = try rows.head()
            guard head.vaultID == vaultID, head.epoch == sealer.epoch else { throw .wrongSecret }
            return try Self.inspect(rows, reader)
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
