internal import RecordStore
internal import SharedLog
internal import VaultCrypto

/// A record that machines share (Schemas/machines.md section 6), as a record of a vault or an object of the
/// log.
protocol SharedItem {
    /// The object id in the log.
    var id: ObjectID { get }
    /// The name for people.
    var name: String { get }
    /// Whether the record is in the trash.
    var isRemoved: Bool { get }
    /// The digests for an index.
    var digests: [RegisterDigest] { get throws }

    /// Reads an object of the log; nil if no record can be made of it.
    init?(_ object: SharedObject)
    /// The record as an object of the log.
    func object() throws -> SharedObject
    /// Whether the log says the same.
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
    /// When it was made, in milliseconds.
    var created: UInt64 { get }
    var content: Content { get }

    /// The object id of a record; nil for a record that cannot be shared.
    static func id(of info: RecordInfo) -> ObjectID?
    /// A record of the vault; nil if it stays on its machine.
    init?(_ id: ObjectID, _ name: String, created: UInt64, _ content: Content)
    /// Joins this record, which no other machine has, with the log's record of the same name; nil if they are two.
    func joined(with log: Self) throws -> Self?
    /// What changes in a record that goes into the trash.
    static func prepareRemoval(_ content: inout Content)
    /// The content with what an older state of the record says; nil if it says the same.
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
    /// Nothing is damaged, so a record that is missing was deleted.
    var isWhole: Bool { get }
    /// The records for which a condition holds, in the order in which they are given.
    func ids(where isWanted: (ObjectID) throws -> Bool) rethrows -> [ObjectID]

    /// Whether there is a record, readable or not.
    func has(_ id: ObjectID) -> Bool
    /// The record; nil also if it stays here, or if this program cannot read it.
    func find(_ id: ObjectID) throws -> Item?
    /// Whether the record is as the log has it.
    func isUnchanged(_ id: ObjectID, _ row: LogIndex.Row) throws -> Bool
    /// The revision of the record, for the index.
    func revision(of id: ObjectID) -> Revision
    /// Writes the record of an object.
    ///
    /// - Returns: the revision for the index: 0 if the record says more than the log; nil if it cannot be written here.
    mutating func write(
        _ item: Item,
        _ row: LogIndex.Row,
        _ arrival: SharedArrival,
        _ log: StoredLog,
        _ report: inout SyncTransaction.Report
    ) throws -> Revision?
    /// Lets a record of this machine go on as another one.
    mutating func setAside(
        _ item: Item,
        _ arrival: SharedArrival,
        _ report: inout SyncTransaction.Report
    ) throws
    /// Puts a record into the trash, or erases it if it was there long enough.
    mutating func remove(_ id: ObjectID) throws
}

/// The change of the log that an object came with.
struct SharedArrival {
    /// The name of the machine that wrote it; empty if that is not known.
    var author = ""
    /// The place of its entry; 0 if that is not known.
    var place: UInt64 = 0
    /// This machine wrote it, and has what it says.
    var isOwn = false
    /// Its objects, which may give up their names.
    var objects: Set<ObjectID> = []
}

extension SyncTransaction.Report {
    /// Notes what a person may want otherwise.
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
    /// Accepts an object of the log; if no record can be made of it, it is kept aside.
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
            // A record that was deleted here comes back if another machine changed it.
            let verdict = RemovalMerge.of(mine: nil, theirs: row.registers, base: base)
            guard old == nil || old?.isWithheld == true || verdict == .comesBack else {
                return row.revision
            }
            return try write(theirs, row, arrival, log, &report)
        }
        guard let mine = try find(theirs.id) else { return row.revision }
        let isUnchanged = try old.map { try self.isUnchanged(theirs.id, $0) } ?? false
        guard let accepted = try mine.accepting(theirs, base: isUnchanged ? nil : base) else {
            // Two types under one identity: the record of this machine goes on as another one.
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

    /// Accepts that an object is gone from the log.
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

    /// Adds what changed here to a change.
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
