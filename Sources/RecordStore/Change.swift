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
