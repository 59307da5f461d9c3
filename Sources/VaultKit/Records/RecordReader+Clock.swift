internal import HSIP
internal import RecordStore

/// The clock mark, for operations that do not need the book.
extension RecordReader {
    /// The clock mark and its revision; nil if the vault has no mark.
    func clockMark() throws -> (mark: ClockMark, revision: Revision)? {
        guard let record = try find(try HSIPRecords.id(of: .clock)) else { return nil }
        return (try RecordContent.clock(record.body), record.info.revision)
    }

    /// Whether a record exists.
    func has(_ id: RecordID) throws -> Bool {
        try info(id) != nil
    }

    /// The change that advances the clock mark, if it is due; a vault without a mark gets its first one.
    ///
    /// A damaged mark stays as it is. Operations that need no mark still work, but nothing is wiped because of its age.
    func clockChange(at now: UInt64) throws -> Change? {
        let known: (mark: ClockMark, revision: Revision)?
        do { known = try clockMark() } catch StoreError.tampered(.record) { return nil }
        // If a mark cannot represent the clock, no mark is made.
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
