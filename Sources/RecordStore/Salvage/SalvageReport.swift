/// What a repair found, kept and lost.
package struct SalvageReport: Sendable {
    /// Numbers of one kind of record.
    package struct Tally: Equatable, Sendable {
        /// Records of the new vault.
        package internal(set) var kept = 0
        /// Those of them that the head vouches for.
        package internal(set) var vouched = 0
        /// Those of them that came from a backup.
        package internal(set) var fromBackup = 0
        /// Old rows that had come back, and are left out.
        package internal(set) var leftOut = 0
        /// Records whose names are known and whose bodies are gone.
        package internal(set) var lost = 0

        /// Records that are genuine, of which nothing tells whether they still counted.
        package var doubtful: Int { kept - vouched }
    }

    /// Names, as many as are told, and how many there are.
    package struct Names: Sendable {
        /// The most that are told.
        package static let most = 10_000

        /// The first ones.
        package private(set) var told: [SalvagedName] = []
        /// All of them.
        package private(set) var count = 0

        mutating func add(_ name: SalvagedName?) {
            count += 1
            if let name, told.count < Self.most { told.append(name) }
        }
    }

    /// By kind.
    package private(set) var kinds: [RecordKind: Tally] = [:]
    /// Lanes that the head vouches for; none in a keyring.
    package private(set) var vouchedLanes = 0
    /// Lanes that are as in a backup, by its number.
    package private(set) var lanesAsInBackup: [Int: Int] = [:]
    /// Records whose bodies are gone.
    package private(set) var lost = Names()
    /// Records of which only an older version is left.
    package private(set) var older = Names()
    /// Records taken from a backup.
    package private(set) var fromBackup = Names()
    /// Records that only a backup has, which were not taken.
    package private(set) var onlyInBackup = Names()
    /// Records of the kinds that decide about trust, in lanes that are not vouched for: to be looked at.
    package private(set) var toCompare = Names()
    /// Whether more was found than is read.
    package var isCutShort = false
    private var namelessLost = 0
    /// How many lanes there are.
    package let lanes: Int

    /// The place of the newest head that opens; nil where none does.
    package let head: Position?
    /// How many records that head counts.
    package let counted: UInt64?
    /// The newest place in the history that was seen anywhere: in the head, a row, a backup or the anchor.
    package private(set) var newest: UInt64
    /// Whether the slots are those that the head vouches for.
    package let areSlotsVouched: Bool
    /// A later key epoch that is named somewhere: what was found is the vault from before its key was changed.
    package let laterEpoch: UInt32?

    /// A report of nothing yet.
    package init(
        head: HeadContent?,
        epoch: UInt32,
        newest: UInt64,
        areSlotsVouched: Bool,
        laterEpoch: UInt32?
    ) {
        self.head = head.map { Position(epoch: epoch, generation: $0.generation) }
        counted = head?.count
        self.newest = max(newest, head?.generation ?? 0)
        self.areSlotsVouched = areSlotsVouched
        self.laterEpoch = laterEpoch
        lanes = HeadContent.laneCount
    }

    /// A report of nothing yet about a vault whose root names its records, in no lanes.
    ///
    /// - Parameters:
    ///   - root: The place of the root; nil for a vault without one, of which nothing tells what is missing.
    ///   - counted: How many records the root counts.
    ///   - newest: The newest generation that was seen anywhere.
    ///   - laterEpoch: A later key epoch that is remembered.
    package init(root: Position?, counted: UInt64?, newest: UInt64, laterEpoch: UInt32?) {
        (head, self.counted, self.newest, self.laterEpoch) = (root, counted, newest, laterEpoch)
        (areSlotsVouched, lanes) = (true, 0)
    }

    /// Counts a lane.
    ///
    /// - Parameters:
    ///   - verdict: what was made of it.
    ///   - isCompared: whether a record of a kind decides about trust.
    package mutating func add(_ verdict: LaneVerdict, isCompared: (RecordKind) -> Bool) {
        switch verdict.state {
        case .vouched: vouchedLanes += 1
        case .asInBackup(let number): lanesAsInBackup[number, default: 0] += 1
        case .doubtful, .unknown: break
        }
        for (row, standing) in verdict.kept { add(row, standing, isCompared) }
        for row in verdict.leftOut {
            if let name = row.name { add(leftOut: name.id.kind) }
        }
        for name in verdict.lost { add(lost: name) }
        namelessLost += verdict.namelessLost
    }

    /// Counts a record whose body is gone.
    package mutating func add(lost name: SalvagedName) {
        lost.add(name)
        kinds[name.id.kind, default: Tally()].lost += 1
    }

    /// Counts an old version, or a record that was deleted.
    package mutating func add(leftOut kind: RecordKind) { kinds[kind, default: Tally()].leftOut += 1 }

    private mutating func add(
        _ row: FoundRow,
        _ standing: LaneVerdict.Standing,
        _ isCompared: (RecordKind) -> Bool
    ) {
        guard let name = row.name else {
            newest = max(newest, row.revision)
            return
        }
        if row.isFromBackup {
            kinds[name.id.kind, default: Tally()].fromBackup += 1
            fromBackup.add(name)
        }
        add(name, row.revision, standing, isCompared)
    }

    /// Counts a record that is kept.
    package mutating func add(
        _ name: SalvagedName,
        _ revision: Revision,
        _ standing: LaneVerdict.Standing,
        _ isCompared: (RecordKind) -> Bool
    ) {
        newest = max(newest, revision)
        kinds[name.id.kind, default: Tally()].kept += 1
        if case .vouched = standing {
            kinds[name.id.kind, default: Tally()].vouched += 1
            return
        }
        if case .older = standing { older.add(name) }
        if isCompared(name.id.kind) { toCompare.add(name) }
    }

    /// Counts a record that only a backup has.
    package mutating func add(onlyInBackup name: SalvagedName?) { onlyInBackup.add(name) }

    /// Notes that something newer was seen.
    package mutating func note(_ generation: UInt64) { newest = max(newest, generation) }

    /// Records of the new vault.
    package var kept: Int { kinds.values.reduce(0) { $0 + $1.kept } }

    /// Records that nothing vouches for.
    package var doubtful: Int { kinds.values.reduce(0) { $0 + $1.doubtful } }

    /// Old rows that had come back, and are left out.
    package var leftOut: Int { kinds.values.reduce(0) { $0 + $1.leftOut } }

    /// Records of which nothing is left, not even the name, as far as the head tells; nil without a head.
    package var unnamedLost: Int? {
        counted.map { counted in
            max(namelessLost, Int(clamping: counted) - kept - lost.count)
        }
    }

    /// Commits that were seen and are in none of what was found; 0 without a head.
    package var lostCommits: UInt64 { head.map { newest - $0.generation } ?? 0 }

    /// Whether the head vouches for everything, and nothing is lost.
    package var isComplete: Bool {
        head != nil && laterEpoch == nil && lostCommits == 0 && vouchedLanes == lanes && areSlotsVouched
            && lost.count == 0 && older.count == 0 && unnamedLost == 0 && doubtful == 0
            && counted == UInt64(kept)
    }
}
