internal import RecordStore
internal import SharedLog

/// The objects of the log as the records of its index have them.
struct KnownObjects {
    /// The revisions of those records.
    var revisions: [RecordID: Revision]
    let index: LogIndex
    let state: LogState
}

/// Lets a sync of an open vault read only what changed.
///
/// It holds no key.
struct LogMemory {
    /// The index of all records.
    var records: KnownRecords?
    /// The objects of the log.
    var objects: KnownObjects?

    /// The same after a commit of what led to it.
    func following(_ commit: Vault.Commit) -> LogMemory {
        var next = LogMemory(records: records?.following(commit), objects: objects)
        for change in commit.changes.changes
        where change.id.kind.rawValue == StoredLog.Kind.index.rawValue {
            let isPut = if case .put = change { true } else { false }
            next.objects?.revisions[change.id] = isPut ? commit.revision : nil
        }
        return next
    }
}
