internal import VaultCrypto

/// What all machines agree on behind an entry: who they are, and which objects there are.
///
/// Of an object it knows what the digest needs, not what it holds. Objects lie in 256 buckets by their ids, so a change costs
/// what its own buckets cost, however many objects there are.
package struct LogState: Sendable {
    /// What is known of an object.
    package struct Line: Hashable, Sendable {
        /// Its kind.
        package let kind: UInt8
        /// Its name.
        package let name: String
        /// The entry with its last put.
        package let place: UInt64
        /// The digest of that put.
        package let digest: [UInt8]

        /// A line of an index.
        package init(kind: UInt8, name: String, place: UInt64, digest: [UInt8]) {
            self.kind = kind
            self.name = name
            self.place = place
            self.digest = digest
        }
    }

    /// Which log.
    package let log: LogID
    /// The machines.
    package private(set) var members: [MachineID: Member] = [:]
    /// Keepers that were.
    package private(set) var former: [MachineID: FormerKeeper] = [:]
    /// How many objects there are.
    package private(set) var objectCount = 0
    private var buckets = [ObjectBucket](repeating: ObjectBucket(), count: 256)
    private var names = NameCounts()

    /// A log without anything in it.
    init(log: LogID) { self.log = log }

    /// A log with its founder.
    package init(log: LogID, founder: Member) {
        self.log = log
        members[founder.id] = founder
    }

    /// A state as records have it.
    package init(log: LogID, members: [Member], former: [FormerKeeper], objects: [(ObjectID, Line)]) {
        self.log = log
        for member in members { self.members[member.id] = member }
        for keeper in former { self.former[keeper.id] = keeper }
        for (id, line) in objects { set(line, for: id) }
        settle()
    }

    /// The same objects with the machines as records have them.
    package func with(_ members: [Member], _ former: [FormerKeeper]) -> LogState {
        var state = self
        (state.members, state.former) = ([:], [:])
        for member in members { state.load(member) }
        for keeper in former { state.load(keeper) }
        return state
    }

    /// What is known of an object; nil if there is none.
    package subscript(id: ObjectID) -> Line? { buckets[Int(id.firstByte)].lines[id] }

    /// The ids of all objects, ascending.
    package var objectIDs: [ObjectID] { buckets.flatMap { $0.lines.keys.sorted() } }

    /// The members, ascending.
    package var sortedMembers: [Member] { members.values.sorted { $0.id < $1.id } }
    /// Keepers that were, ascending.
    package var sortedFormer: [FormerKeeper] { former.values.sorted { $0.id < $1.id } }

    /// The digest that every entry carries.
    package func digest(epoch: UInt32) -> [UInt8] {
        let people = sortedMembers.flatMap(\.encoded) + sortedFormer.flatMap(\.encoded)
        var input = LogLabel.state.bytes + log.bytes
        input += epoch.bigEndianBytes
        input += Hash.sha256(LogLabel.members.bytes + people)
        for bucket in buckets { input += bucket.digest }
        return Hash.sha256(input)
    }

    mutating func set(_ line: Line?, for id: ObjectID) {
        let old = buckets[Int(id.firstByte)].set(line, for: id)
        objectCount += (line == nil ? 0 : 1) - (old == nil ? 0 : 1)
        if let old { names.remove(old) }
        if let line { names.add(line) }
    }

    mutating func load(_ member: Member) { members[member.id] = member }
    mutating func load(_ keeper: FormerKeeper) { former[keeper.id] = keeper }
    mutating func change(_ id: MachineID, _ body: (inout Member) -> Void) {
        guard var member = members[id] else { return }
        body(&member)
        members[id] = member
    }
    mutating func remove(_ id: MachineID) { members[id] = nil }

    /// Refuses a state in which names clash, no keeper is left, or there is too much.
    func check() throws(LogError) {
        guard objectCount <= LogLimits.objects, members.count <= LogLimits.machines,
            former.count <= LogLimits.former
        else { throw LogError(.logTooLarge) }
        guard !names.hasClash, Set(members.values.map(\.name)).count == members.count else {
            throw LogError(.nameTaken)
        }
        guard members.values.contains(where: { $0.role == .keeper }) else { throw LogError(.lastKeeper) }
    }
}

/// The objects whose ids begin with one byte, and their digest.
private struct ObjectBucket: Sendable {
    private static let emptyDigest = [UInt8](repeating: 0, count: 32)

    private(set) var lines: [ObjectID: LogState.Line] = [:]
    private var known: [UInt8]? = emptyDigest

    /// H(L(bucket) ‖ lines), or zeros for no line.
    var digest: [UInt8] { known ?? computed }

    private var computed: [UInt8] {
        guard !lines.isEmpty else { return Self.emptyDigest }
        var input = LogLabel.bucket.bytes
        for (id, line) in lines.sorted(by: { $0.key < $1.key }) {
            input += id.bytes
            input += line.place.bigEndianBytes
            input += line.digest
        }
        return Hash.sha256(input)
    }

    mutating func set(_ line: LogState.Line?, for id: ObjectID) -> LogState.Line? {
        let old = lines[id]
        lines[id] = line
        known = nil
        return old
    }

    /// Works the digest out once, so that copies of the state need not.
    mutating func settle() { if known == nil { known = computed } }
}

extension LogState {
    /// Works out the digests of the buckets that changed.
    mutating func settle() { for index in buckets.indices { buckets[index].settle() } }
}

/// How many objects have one name, for the kinds in which names are unique.
private struct NameCounts: Sendable {
    private static let shards = 256

    private struct Name: Hashable {
        let kind: UInt8
        let name: String
    }

    private var counts = [[Name: Int]](repeating: [:], count: shards)
    private var clashes = 0

    /// Whether two have one name.
    var hasClash: Bool { clashes > 0 }

    mutating func add(_ line: LogState.Line) { change(line, by: 1) }
    mutating func remove(_ line: LogState.Line) { change(line, by: -1) }

    private mutating func change(_ line: LogState.Line, by step: Int) {
        guard SharedKind(rawValue: line.kind)?.hasUniqueNames == true else { return }
        let shard = Int(line.name.utf8.reduce(0) { ($0 &* 31 &+ UInt32($1)) } % UInt32(Self.shards))
        let name = Name(kind: line.kind, name: line.name)
        let old = counts[shard][name] ?? 0
        counts[shard][name] = old + step == 0 ? nil : old + step
        clashes += (old + step > 1 ? 1 : 0) - (old > 1 ? 1 : 0)
    }
}
