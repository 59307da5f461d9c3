public import RecordStore

extension Vault {
    /// The most damaged records that are named.
    private static let maximumDamaged = 256

    /// Reads a copy of the vault's file whole, with the keys of the open vault.
    ///
    /// - Parameter path: an absolute path.
    /// - Returns: what the copy is; at most 256 damaged records are named.
    /// - Throws: `store`, as `CopyReading.readCopy`; `unknownOperation` for a vault that is no file.
    public func checkCopy(_ path: String) throws(VaultError) -> CopyReport {
        guard let store = store as? any CopyReading else { throw .unknownOperation }
        do throws(StoreError) {
            let report = try store.readCopy(path)
            return CopyReport(
                position: report.position,
                headTag: report.headTag,
                records: report.records,
                slots: report.slots,
                modified: report.modified,
                damaged: Array(report.damaged.prefix(Self.maximumDamaged)),
                newerHere: report.newerHere
            )
        } catch {
            throw .store(error)
        }
    }
}
