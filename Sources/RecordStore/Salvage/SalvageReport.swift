/// The result of a repair: what it found, kept and lost.
package struct SalvageReport: Sendable {
    /// The counts of one kind of record.
    package struct Tally: Equatable, Sendable {
        /// Records of the new vault.
        package internal(set) var kept = 0
        /// Kept records that the head vouches for.
        package internal(set) var vouched = 0
        /// Kept records that came from a backup.
        package internal(set) var fromBackup = 0
        /// Old rows that had reappeared and are left out.
        package internal(set) var leftOut = 0
        /// Records with a known name and a lost body.
        package internal(set) var lost = 0

        /// Genuine records that may have been deleted or replaced before the damage.
        package var doubtful: Int { kept - vouched }
    }

    /// Some names, and the number of all.
    package struct Names: Sendable {
        /// The most names that are listed.
        package static let most = 10_000

        /// The first names.
        package private(set) var told: [SalvagedName] = []
        /// The number of all names.
        package private(set) var count = 0

        mutating func add(_ name: SalvagedName?) {
            count += 1
            if let name, told.count < Self.most { told.append(name) }
        }
    }

    /// The counts by kind.
    package private(set) var kinds: [RecordKind: Tally] = [:]
    /// The number of lanes that the head vouches for; 0 in a keyring.
    package private(set) var vouchedLanes = 0
    /// The number of lanes that equal a backup's, by the backup's number.
    package private(set) var lanesAsInBackup: [Int: Int] = [:]
    /// Records with a lost body.
    package private(set) var lost = Names()
    /// Records with only an older version left.
    package private(set) var older = Names()
    /// Records restored from a backup.
    package private(set) var fromBackup = Names()
    /// Records that only a backup has, and that were not restored.
    package private(set) var onlyInBackup = Names()
    /// Records of kinds that decide about trust, in unvouched lanes: a person should check them.
    package private(set) var toCompare = Names()
    /// Whether the repair found more than it reads.
    package var isCutShort = false
    private var namelessLost = 0
    /// The number of lanes.
    package let lanes: Int

    /// The position of the newest head that opens; nil if none opens.
    package let head: Position?
    /// The number of records by that head.
    package let counted: UInt64?
    /// The newest generation seen in the head, a row, a backup or the anchor.
    package private(set) var newest: UInt64
    /// Whether the head vouches for the slots.
    package let areSlotsVouched: Bool
    /// A later key epoch named somewhere; then the vault found is from before its key changed.
    package let laterEpoch: UInt32?

    /// An empty report on a vault file.
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

    /// An empty report on a keyring, whose root names its records and which has no lanes.
    ///
    /// - Parameters:
    ///   - root: The position of the root; nil for a vault without one, in which missing records go
    ///     unnoticed.
    ///   - counted: The number of records by the root.
    ///   - newest: The newest generation that was seen anywhere.
    ///   - laterEpoch: A later key epoch that is remembered.
    package init(root: Position?, counted: UInt64?, newest: UInt64, laterEpoch: UInt32?) {
        (head, self.counted, self.newest, self.laterEpoch) = (root, counted, newest, laterEpoch)
        (areSlotsVouched, lanes) = (true, 0)
    }

    /// Counts a lane.
    ///
    /// - Parameters:
    ///   - verdict: the verdict on the lane.
    ///   - isCompared: whether a kind of record decides about trust.
    package mutating func add(_ verdict: LaneVerdict, isCompared: (RecordKind) -> Bool) {
        switch verdict.state {
        case .vouched: vouchedLanes += 1
        case .asInBackup(let number): lanesAsInBackup[number, default: 0] += 1
        case .doubtful, .unknown: break
        }
        for (row, status) in verdict.kept { add(row, status, isCompared) }
        for row in verdict.leftOut {
            if let name = row.name { add(leftOut: name.id.kind) }
        }
        for name in verdict.lost { add(lost: name) }
        namelessLost += verdict.namelessLost
    }

    /// Counts a record with a lost body.
    package mutating func add(lost name: SalvagedName) {
        lost.add(name)
        kinds[name.id.kind, default: Tally()].lost += 1
    }

    /// Counts an old version, or a deleted record.
    package mutating func add(leftOut kind: RecordKind) { kinds[kind, default: Tally()].leftOut += 1 }

    private mutating func add(
        _ row: FoundRow,
        _ status: LaneVerdict.RowStatus,
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
        add(name, row.revision, status, isCompared)
    }

    /// Counts a kept record.
    package mutating func add(
        _ name: SalvagedName,
        _ revision: Revision,
        _ status: LaneVerdict.RowStatus,
        _ isCompared: (RecordKind) -> Bool
    ) {
        newest = max(newest, revision)
        kinds[name.id.kind, default: Tally()].kept += 1
        if case .vouched = status {
            kinds[name.id.kind, default: Tally()].vouched += 1
            return
        }
        if case .older = status { older.add(name) }
        if isCompared(name.id.kind) { toCompare.add(name) }
    }

    /// Counts a record that only a backup has.
    package mutating func add(onlyInBackup name: SalvagedName?) { onlyInBackup.add(name) }

    /// Notes a generation seen elsewhere.
    package mutating func note(_ generation: UInt64) { newest = max(newest, generation) }

    /// The number of records in the new vault.
    package var kept: Int { kinds.values.reduce(0) { $0 + $1.kept } }

    /// The number of kept records that the head does not vouch for.
    package var doubtful: Int { kinds.values.reduce(0) { $0 + $1.doubtful } }

    /// The number of old rows that had reappeared and are left out.
    package var leftOut: Int { kinds.values.reduce(0) { $0 + $1.leftOut } }

    /// The number of records lost with their names, going by the head; nil without a head.
    package var unnamedLost: Int? {
        counted.map { counted in
            max(namelessLost, Int(clamping: counted) - kept - lost.count)
        }
    }

    /// The number of commits that were seen but not found; 0 without a head.
    package var lostCommits: UInt64 { head.map { newest - $0.generation } ?? 0 }

    /// Whether the head vouches for everything, and nothing is lost.
    package var isComplete: Bool {
        head != nil && laterEpoch == nil && lostCommits == 0 && vouchedLanes == lanes && areSlotsVouched
            && lost.count == 0 && older.count == 0 && unnamedLost == 0 && doubtful == 0
            && counted == UInt64(kept)
    }
}
