internal import SharedLog
internal import VaultCrypto

/// One machine: everything that its commits keep, and what the explorer remembers of it.
struct LogMachine: Sendable {
    let number: Int
    var keys: MachineKeys
    var book: LogBook?
    /// The name and two fields of each record.
    var records: [Int: [String]] = [:]
    /// The registers as the log has them.
    var index: [Int: [RegisterDigest]] = [:]
    /// Changes that lost, until they are in the log.
    var losses: Set<String> = []
    var out: [WrittenEntry] = []
    /// What goes into the index once `out` is taken.
    var sentIndex: [Int: [RegisterDigest]] = [:]
    var slices: [Secret] = []
    var wasRestored = false
    /// The file beside the vault, which no restore puts back.
    var anchor: LogHead?
    /// What an ADMIT told it.
    var admission: (head: LogHead, epoch: UInt32, key: Secret)?
    /// Keys that a mistake keeps.
    var keptKeys: [Secret] = []
    /// What an entry could not be taken for.
    var refusal: LogError?
    var edits = 0

    var id: MachineID { keys.id }
    var isMember: Bool { book?.member.map { $0.role != .left } ?? false }
    var isKeeper: Bool { book?.member?.role == .keeper && book?.key != nil }
    var writes: Bool { book?.member?.role.writes == true && book?.key != nil }

    func facts(_ mistake: MachinesMistake?) -> EntryContext {
        var facts = EntryContext(boxSecrets: [keys.boxSecret], generation: 1)
        facts.sent = Set(out.map(\.head.hash))
        facts.wasRestored = wasRestored
        facts.anchor = mistake == .forgetsAnchor ? nil : anchor
        return facts
    }

    /// Randomness that depends on the situation alone: the same step from the same state gives the same entry.
    func signer(_ salt: [UInt8] = []) -> EntrySigner {
        let seed = [UInt8(number)] + (book?.head.hash ?? []) + salt + records.description.utf8
        return EntrySigner(keys: keys, time: 1, generation: 1, entropy: .seeded(seed))
    }

    static func object(_ record: Int, _ fields: [String]) throws(LogError) -> SharedObject {
        let content: Secret
        do {
            content = try Secret(copying: Array(fields.joined(separator: "|").utf8))
        } catch {
            throw LogError(error)
        }
        return try SharedObject(kind: 1, id: id(record), name: fields[0], content: content)
    }

    static func id(_ record: Int) -> ObjectID {
        ObjectID(digest: [UInt8(record)] + [UInt8](repeating: 7, count: 15))
    }

    static func digests(_ fields: [String]) -> [RegisterDigest] { fields.map(\.registerDigest) }

    /// What the log has of a record.
    static func fields(_ object: SharedObject) -> [String] {
        let bytes = object.content.withBytes { $0.copied() }
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

    static func record(of id: ObjectID) -> Int? { (0..<4).first { Self.id($0) == id } }

    /// Takes over that an object was deleted.
    mutating func delete(_ id: ObjectID, isOwn: Bool, _ mistake: MachinesMistake?) {
        guard let record = Self.record(of: id) else { return }
        defer { index[record] = nil }
        guard !isOwn, let mine = records[record] else { return }
        // What was changed here is put again.
        let verdict = RemovalMerge.of(mine: Self.digests(mine), theirs: nil, base: index[record] ?? [])
        if verdict == .remove || mistake == .deletesChanges { records[record] = nil }
    }

    /// Gives a record of this machine another name if the log has its name for another record.
    private mutating func makeWay(for record: Int) {
        guard let name = records[record]?[0] else { return }
        for (other, fields) in records where other != record && fields[0] == name {
            let taken = Set(records.values.map { $0[0] })
            let free = (2...9).map { "\(name)-\($0)" }.first { !taken.contains($0) }
            records[other]?[0] = free ?? name
        }
    }

    /// Takes over what an entry or a snapshot says of an object.
    mutating func take(_ object: SharedObject, isOwn: Bool, isSnapshot: Bool, _ mistake: MachinesMistake?) {
        guard object.kind == 1, let record = Self.record(of: object.id) else { return }
        let theirs = Self.fields(object)
        let base = index[record] ?? []
        defer {
            index[record] = Self.digests(theirs)
            if mistake != .keepsName { makeWay(for: record) }
        }
        if isOwn, mistake != .mergesOwn { return }
        guard var mine = records[record], !(isOwn && mistake == .mergesOwn),
            !(isSnapshot && mistake == .overwrites)
        else {
            // What was deleted here comes back only if it was changed there.
            let verdict = RemovalMerge.of(mine: nil, theirs: Self.digests(theirs), base: base)
            if verdict == .comesBack || records[record] != nil { records[record] = theirs }
            return
        }
        if mistake == .wholeRecords, Self.digests(theirs) != base {
            mine = Self.digests(mine) == base ? mine : theirs
        }
        var merge = RegisterMerge(base: base)
        var lost: [String] = []
        let result = zip(mine, theirs).map { mine, theirs in
            merge.pick(mine, theirs) { mine, theirs in
                lost.append(mine)
                return theirs
            }
        }
        if mistake != .forgetsLoss { losses.formUnion(lost.filter { !$0.isEmpty }) }
        records[record] = result
    }

    /// The operations that bring the log to what is here.
    func changes(_ mistake: MachinesMistake?) throws(LogError) -> [LogOperation] {
        var operations: [LogOperation] = []
        for (record, fields) in records.sorted(by: { $0.key < $1.key })
        where Self.digests(fields) != index[record] {
            operations.append(.put(try Self.object(record, fields)))
        }
        for record in index.keys.sorted() where records[record] == nil {
            operations.append(.delete(Self.id(record)))
        }
        for loss in losses.sorted() {
            let lost: Secret
            do { lost = try Secret(copying: Array(loss.utf8)) } catch { throw LogError(error) }
            let conflict = try ConflictObject(
                object: Self.id(0),
                kind: 1,
                machine: id,
                time: 1,
                reason: 0,
                lost: lost
            )
            guard book?.state[conflict.id] == nil else { continue }
            operations.append(
                .put(try SharedObject(kind: 8, id: conflict.id, name: "", content: try conflict.content()))
            )
        }
        return operations
    }
}
