package import RecordStore

/// A backup in a folder: one that was written, or the newest one there, where nothing has changed since.
package struct MadeBackup {
    package let copy: BackupCopy
    /// It was written just now.
    package let isNew: Bool
    package let check: BackupCheck
    /// The newest commit in it; nil where no key was at hand and this machine does not remember it.
    package let generation: UInt64?
    package let records: Int
    package let slots: Int
    /// Records that cannot be vouched for, in the vault as in the copy.
    package let damaged: [DamagedRecord]

    /// The same copy, read whole by the keys of the vault; nil where that was another file.
    package func read(_ report: CopyReport) -> MadeBackup? {
        guard report.headTag == copy.tag else { return nil }
        return MadeBackup(
            copy: copy,
            isNew: isNew,
            check: report.damaged.isEmpty ? .full : .damaged,
            generation: report.position.generation,
            records: report.records,
            slots: report.slots,
            damaged: report.damaged
        )
    }
}
