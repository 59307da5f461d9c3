internal import RecordStore

extension Vault {
    /// The most damaged records in a report.
    private static let maximumDamaged = 256

    /// Reads a copy of the vault's file completely, with the keys of the open vault.
    ///
    /// - Parameter path: an absolute path.
    /// - Returns: a report on the copy with at most 256 damaged records, or the reason why it is unreadable; then this vault
    ///   stays open.
    /// - Throws: `store` for an error of this vault itself, including `rekeyed`; `unknownOperation` if the vault is not a
    ///   file.
    func checkCopy(_ path: String) throws(VaultError) -> CheckedCopy {
        guard let store = store as? any CopyReading else { throw .unknownOperation }
        // If the key of this vault was changed, this read throws.
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

/// The result of reading a copy.
enum CheckedCopy: Codable, Sendable {
    case read(CopyReport)
    case unreadable(StoreError)
}
