internal import HSIP
internal import RecordStore

/// The clock mark, for acts that do without the book.
extension RecordReader {
    /// The mark and its revision; nil in a vault that has none.
    func clockMark() throws -> (mark: ClockMark, revision: Revision)? {
        guard let record = try find(try HSIPRecords.id(of: .clock)) else { return nil }
        return (try RecordContent.clock(record.body), record.info.revision)
    }

    /// Whether there is such a record.
    func has(_ id: RecordID) throws -> Bool {
        try info(id) != nil
    }

    /// The change that moves the mark, where it is due; a vault without a mark gets its first one.
    ///
    /// A mark that is damaged stays as it is: what needs none goes on, and nothing is wiped for its age meanwhile.
    func clockChange(at now: UInt64) throws -> Change? {
        let known: (mark: ClockMark, revision: Revision)?
        do { known = try clockMark() } catch StoreError.tampered(.record) { return nil }
        // A clock that no mark can hold puts none.
        let first = ClockMark().isSuspect(wallClock: now) ? nil : ClockMark(mark: now)
        guard let moved = known == nil ? first : known?.mark.advanced(to: now) else { return nil }
        let draft = RecordDraft(
            id: try HSIPRecords.id(of: .clock),
            label: "HSIP clock mark",
            body: try RecordContent.encode(moved)
        )
        return .put(draft, expecting: known?.revision ?? 0)
    }
}
