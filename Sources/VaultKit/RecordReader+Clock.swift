internal import HSIP
internal import RecordStore

/// The clock mark, for acts that do without the book.
extension RecordReader {
    /// The mark and its revision; nil in a vault that has none.
    private func clockMark() throws(VaultError) -> (mark: ClockMark, revision: Revision)? {
        do {
            guard let record = try find(try HSIPRecords.id(of: .clock)) else { return nil }
            return (try RecordContent.clock(record.body), record.info.revision)
        } catch {
            throw VaultError(error)
        }
    }

    /// The time that is certain: what has lain in the trash long enough by then may go.
    ///
    /// A mark that cannot be read says nothing, so nothing goes.
    func wipingTime(at now: UInt64) -> UInt64 {
        do throws(VaultError) {
            return try clockMark()?.mark.wipingTime(wallClock: now) ?? now
        } catch {
            return 0
        }
    }

    /// The change that moves the mark, where it is due; a vault without a mark gets none here.
    func clockChange(at now: UInt64) throws(VaultError) -> Change? {
        guard let (mark, revision) = try clockMark(), let moved = mark.advanced(to: now) else { return nil }
        do {
            let draft = RecordDraft(
                id: try HSIPRecords.id(of: .clock),
                label: "HSIP clock mark",
                body: try RecordContent.encode(moved)
            )
            return .put(draft, expecting: revision)
        } catch {
            throw VaultError(error)
        }
    }
}
