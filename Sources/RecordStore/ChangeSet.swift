/// Changes that happen together or not at all.
///
/// A change set names the **floor** under which its records were read. A restore raises the floor. Changes computed
/// from records read before the restore then fail with `StoreError.conflict` instead of overwriting unseen records.
public struct ChangeSet: Sendable {
    /// `RecordReader.floor` at the time the records were read.
    public var floor: UInt64
    /// The changes, at most one for each record.
    public var changes: [Change]

    /// A change set.
    public init(floor: UInt64, changes: [Change] = []) {
        self.floor = floor
        self.changes = changes
    }

    /// Adds a record to write, expecting the revision at which it was read (0 = absent).
    public mutating func put(_ draft: RecordDraft, expecting revision: Revision) {
        changes.append(.put(draft, expecting: revision))
    }

    /// Adds a record to remove; nil removes any revision, or nothing if the record is absent.
    public mutating func delete(_ id: RecordID, expecting revision: Revision?) {
        changes.append(.delete(id, expecting: revision))
    }

    /// Checks the limits, and that no record is named twice; this needs no store.
    package func check() throws(StoreError) {
        var seen: Set<RecordID> = []
        for change in changes {
            // A single change cannot repeat an id.
            guard changes.count == 1 || seen.insert(change.id).inserted else {
                throw .invalidRecord(.repeatedID)
            }
            if case .put(let draft, _) = change { try draft.check() }
        }
    }
}

/// One change of a change set.
public enum Change: Sendable {
    /// Writes a record if its present revision is `expecting` (0 = absent).
    case put(RecordDraft, expecting: Revision)
    /// Removes a record if its present revision is `expecting`; nil removes any revision, or nothing.
    case delete(RecordID, expecting: Revision?)

    /// The record that is changed.
    public var id: RecordID {
        switch self {
        case .put(let draft, _): draft.id
        case .delete(let id, _): id
        }
    }
}
