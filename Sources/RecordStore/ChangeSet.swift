/// Changes that happen together or not at all.
///
/// It names the **floor** it was read under. A restore raises the floor, so changes computed from records
/// read before the restore meet `StoreError.conflict` instead of overwriting what they never saw.
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

    /// Adds a record to write, expecting the revision it was read at (0 = absent).
    public mutating func put(_ draft: RecordDraft, expecting revision: Revision) {
        changes.append(.put(draft, expecting: revision))
    }

    /// Adds a record to remove; nil takes whatever is there, also nothing.
    public mutating func delete(_ id: RecordID, expecting revision: Revision?) {
        changes.append(.delete(id, expecting: revision))
    }

    /// Checks what needs no store: limits, and that no record is named twice.
    package func check() throws(StoreError) {
        var seen: Set<RecordID> = []
        for change in changes {
            // One change is unlike all others.
            guard changes.count == 1 || seen.insert(change.id).inserted else {
                throw .invalidRecord(.repeatedID)
            }
            if case .put(let draft, _) = change { try draft.check() }
        }
    }
}

/// One wish of a change set.
public enum Change: Sendable {
    /// Writes a record if the present revision is `expecting` (0 = there is none).
    case put(RecordDraft, expecting: Revision)
    /// Removes a record if the present revision is `expecting`; nil takes whatever is there, also nothing.
    case delete(RecordID, expecting: Revision?)

    /// The record that is changed.
    public var id: RecordID {
        switch self {
        case .put(let draft, _): draft.id
        case .delete(let id, _): id
        }
    }
}
