internal import RecordStore

extension Vault {
    /// The most damaged records that are named.
    private static let maximumDamaged = 256

    /// Reads a copy of the vault's file whole, with the keys of the open vault.
    ///
    /// - Parameter path: an absolute path.
    /// - Returns: a report on the copy, with at most 256 damaged records named, or why it cannot be read; this vault stays
    ///   open then.
    /// - Throws: `store` for what is wrong with this vault itself, including `rekeyed`; `unknownOperation` if the vault
    ///   is not a file.
    func checkCopy(_ path: String) throws(VaultError) -> CheckedCopy {
        guard let store = store as? any CopyReading else { throw .unknownOperation }
        // One whose key was changed says so here.
        let revisions = try reading { try $0.survey(nil).records.map(\.revision) }
        do throws(StoreError) {
            let report = try store.readCopy(path, beside: revisions)
            return .read(
                CopyReport(
                    position: report.position,
                    headTag: report.headTag,
                    records: report.records,
                    slots: report.slots,
                    modified: report.modified,
                    damaged: Array(report.damaged.prefix(Self.maximumDamaged)),
                    newerHere: report.newerHere
                )
            )
        } catch .rekeyed {
            throw .store(.rekeyed)
        } catch .locked {
            throw .store(.locked)
        } catch {
            return .unreadable(error)
        }
    }
}

/// What reading a copy came to.
enum CheckedCopy: Codable, Sendable {
    case read(CopyReport)
    case unreadable(StoreError)
}
