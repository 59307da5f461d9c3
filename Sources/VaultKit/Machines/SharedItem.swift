internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// A record that machines share, in a vault or as an object of the log (Schemas/machines.md section 6).
protocol SharedItem {
    /// The object id in the log.
    var id: ObjectID { get }
    /// The name that people see.
    var name: String { get }
    /// Whether the record is in the trash.
    var isRemoved: Bool { get }
    /// The digests for an index.
    var digests: [RegisterDigest] { get throws }

    /// Reads an object of the log; nil if no record can be made of it.
    init?(_ object: SharedObject)
    /// The record as an object of the log.
    func object() throws -> SharedObject
    /// Whether a row of the log describes the present state of the record.
    func isSaid(by row: LogIndex.Row) throws -> Bool
    /// Merges this record with the log's state of it.
    ///
    /// - Parameters:
    ///   - log: The record in the log.
    ///   - base: The registers that both sides had last; nil if the record did not change on this machine.
    /// - Returns: the merged record, and whether a person may miss a change; nil for two records, which both
    ///   stay.
    /// - Throws: The errors of writing the result.
    func accepting(_ log: Self, base: [RegisterDigest]?) throws -> (item: Self, isConflict: Bool)?
}

extension SharedItem {
    func isSaid(by row: LogIndex.Row) throws -> Bool { try object().digest() == row.line.digest }
}

/// A shared record that has a name of its own.
protocol SharedRecord: SharedItem {
    associatedtype Content: NamedRecord

    static var kind: SharedKind { get }
    /// Creation time, Unix milliseconds.
    var created: UInt64 { get }
    var content: Content { get }

    /// The object id of a record; nil for a record that cannot be shared.
    static func id(of info: RecordInfo) -> ObjectID?
    /// Makes a shared record from the parts of a record; nil if it stays on its machine.
    init?(_ id: ObjectID, _ name: String, created: UInt64, _ content: Content)
    /// Joins this record, which no other machine has, with the log's record of the same name; nil if they stay separate.
    func joined(with log: Self) throws -> Self?
    /// Adapts the content of a record that is moved to the trash.
    static func prepareRemoval(_ content: inout Content)
    /// Restores an older state into the content; nil if nothing changes.
    func restoring(_ older: Self, at now: UInt64) throws -> Content?
}

extension SharedRecord {
    var isRemoved: Bool { content.removedAt != nil }

    func joined(with log: Self) throws -> Self? { nil }
    static func prepareRemoval(_ content: inout Content) {}

    func restoring(_ older: Self, at now: UInt64) throws -> Content? {
        var content = older.content
        content.removedAt = nil
        return content
    }
}

/// The records of one shared kind in a sync.
protocol SharedCollection {
    associatedtype Item: SharedItem

    /// Unix seconds.
    var now: UInt64 { get }
    /// Whether no record is damaged, so that a missing record means a deleted record.
    var isWhole: Bool { get }
    /// The records for which a condition holds, in the order in which they are sent.
    func ids(where isWanted: (ObjectID) throws -> Bool) rethrows -> [ObjectID]

    /// Whether the record exists, readable or not.
    func has(_ id: ObjectID) -> Bool
    /// The record; nil also if it stays on this machine, or if this program cannot read it.
    func find(_ id: ObjectID) throws -> Item?
    /// Whether the record equals the log's state.
    func isUnchanged(_ id: ObjectID, _ row: LogIndex.Row) throws -> Bool
    /// The revision of the record, for the index.
    func revision(of id: ObjectID) -> Revision
    /// Writes the record of an object.
    ///
    /// - Returns: the revision for the index: 0 if the record has changes that the log lacks; nil if it cannot be
    ///   written here.
    mutating func write(
        _ item: Item,
        _ row: LogIndex.Row,
        _ arrival: SharedArrival,
        _ log: StoredLog,
        _ report: inout SyncTransaction.Report
    ) throws -> Revision?
    /// Keeps a record of this machine as a separate record, under a new identity and name.
    mutating func setAside(
        _ item: Item,
        _ arrival: SharedArrival,
        _ report: inout SyncTransaction.Report
    ) throws
    /// Moves a record to the trash, or erases it if it has been there long enough.
    mutating func remove(_ id: ObjectID) throws
}

/// The circumstances in which an object of the log arrived.
struct SharedArrival {
    /// The name of the machine that wrote the object; empty if unknown.
    var author = ""
    /// The place of the entry in the log; 0 if unknown.
    var place: UInt64 = 0
    /// Whether this machine wrote the object, so that its record has this state already.
    var isOwn = false
    /// All objects of the entry; their records may lose their names to the new ones.
    var objects: Set<ObjectID> = []
}

extension SyncTransaction.Report {
    /// Notes a decision that a person may want to change.
    mutating func note(
        _ reason: LogConflict.Reason,
        _ kind: UInt8,
        _ name: String,
        other: String = "",
        _ arrival: SharedArrival,
        _ now: UInt64,
        _ objects: (mine: Secret, theirs: Secret)? = nil
    ) {
        found.append(
            LogConflict(
                reason,
                kind: kind,
                name: name,
                other: other,
                machine: arrival.author,
                time: now,
                mine: objects?.mine,
                theirs: objects?.theirs
            )
        )
    }
}

extension SharedCollection {
    /// Accepts an object of the log; if no record can be made of it, the object is kept aside.
    mutating func take(
        _ object: SharedObject,
        _ arrival: SharedArrival,
        _ log: inout StoredLog,
        _ report: inout SyncTransaction.Report
    ) throws {
        let id = object.id
        guard let line = log.book?.state[id] else { return }
        log.kept[id] = nil
        let theirs = Item(object)
        var row = LogIndex.Row(line, try theirs?.digests ?? [], revision: log.index[id]?.revision ?? 0)
        var revision: Revision?
        if arrival.isOwn {
            revision = log.out?.revisions[id] ?? 0
        } else if let theirs {
            revision = try accept(theirs, row, arrival, log, &report)
        }
        if theirs == nil || revision == nil {
            log.kept[id] = object.encoded
            row = LogIndex.Row(line, [], revision: 0)
        }
        log.index[id] = LogIndex.Row(line, row.registers, revision: revision ?? 0)
    }

    private mutating func accept(
        _ theirs: Item,
        _ row: LogIndex.Row,
        _ arrival: SharedArrival,
        _ log: StoredLog,
        _ report: inout SyncTransaction.Report
    ) throws -> Revision? {
        let old = log.index[theirs.id]
        let base = old?.registers ?? []
        guard has(theirs.id) else {
            // A record that was deleted here is restored if another machine changed it.
            let verdict = RemovalMerge.of(mine: nil, theirs: row.registers, base: base)
            guard old == nil || old?.isWithheld == true || verdict == .comesBack else {
                return row.revision
            }
            return try write(theirs, row, arrival, log, &report)
        }
        guard let mine = try find(theirs.id) else { return row.revision }
        let isUnchanged = try old.map { try self.isUnchanged(theirs.id, $0) } ?? false
        guard let accepted = try mine.accepting(theirs, base: isUnchanged ? nil : base) else {
            // The identity has two different records: the record of this machine continues as a separate one.
            try setAside(mine, arrival, &report)
            return try write(theirs, row, arrival, log, &report)
        }
        let revision = try write(accepted.item, row, arrival, log, &report)
        if accepted.isConflict, revision != nil, !accepted.item.name.isEmpty {
            report.conflicts.append(accepted.item.name)
            let (own, other) = (try mine.object().encoded, try theirs.object().encoded)
            report.note(.bothChanged, row.line.kind, accepted.item.name, arrival, now, (own, other))
        }
        return revision
    }

    /// Applies the deletion of an object in the log.
    mutating func delete(
        _ id: ObjectID,
        _ arrival: SharedArrival,
        _ log: inout StoredLog,
        _ report: inout SyncTransaction.Report
    ) throws {
        let isUnchanged = try log.index[id].map { try self.isUnchanged(id, $0) } ?? false
        let kind = log.index[id]?.line.kind ?? 0
        (log.index[id], log.kept[id]) = (nil, nil)
        guard !arrival.isOwn, has(id), let mine = try find(id) else { return }
        guard isUnchanged else {
            report.removedElsewhere.append(mine.name)
            return report.note(.removedElsewhere, kind, mine.name, arrival, now)
        }
        try remove(id)
    }

    /// Adds the changed records of this machine to a change.
    func give(_ change: inout SyncTransaction.Draft, _ log: inout StoredLog) throws {
        // Objects that are kept aside are not replaced in the log.
        let changed = try ids { id in
            guard log.kept[id] == nil else { return false }
            return try log.index[id].map { try !isUnchanged(id, $0) } ?? true
        }
        for id in changed where !change.isFull {
            let row = log.index[id]
            guard let mine = try find(id) else {
                if let row, !row.isWithheld {
                    log.index[id] = LogIndex.Row(row.line, row.registers, revision: LogIndex.Row.apart)
                }
                continue
            }
            // A record in the trash that the log does not have was deleted elsewhere, or never shared.
            guard row != nil || !mine.isRemoved else { continue }
            if let row, try mine.isSaid(by: row) {
                if row.isWithheld {
                    log.index[id] = LogIndex.Row(row.line, row.registers, revision: revision(of: id))
                }
                continue
            }
            do {
                try change.put(try mine.object(), named: mine.name, revision: revision(of: id))
            } catch let error as LogError where error.reason == .malformed {
                change.given.tooLarge.append(mine.name)
            }
        }
    }
}
