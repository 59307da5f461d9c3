internal import VaultCrypto

/// The verified facts of a vault that a process remembers: the head, and the rows of each lane that it has
/// read.
///
/// Every row read later is compared with these facts, so a change of the file under a running process is noticed too.
struct Ledger: ~Copyable, Sendable {
    var codec: RecordCodec
    private let keys: VaultKeys
    private(set) var row: HeadRow?
    private(set) var head: HeadContent?
    private var newest: AnchorText?
    private var lanes: [LaneMap?] = Array(repeating: nil, count: HeadContent.laneCount)
    /// Damaged rows of verified lanes; all other rows of these lanes are verified.
    private var damaged: [RowID: DamagedRecord] = [:]

    init(keys: VaultKeys) throws(StoreError) {
        self.keys = keys
        codec = try RecordCodec(keys: keys)
    }

    /// Opens the head of a snapshot unless it is the remembered head, and forgets the lanes that changed.
    ///
    /// - Throws: `tampered(.head)`; `rekeyed` if the key epoch has risen; `rollback` or `fork` if the head is not a
    ///   successor of the newest head seen.
    mutating func observe(_ found: HeadRow, vaultID: [UInt8], epoch: UInt32) throws(StoreError) -> HeadContent
    {
        if let head, found == row { return head }
        guard found.vaultID == vaultID else { throw .tampered(.head) }
        guard found.epoch <= epoch else { throw .rekeyed }
        let position = Position(epoch: found.epoch, generation: 0)
        guard found.epoch == epoch else {
            throw .rollback(found: position, expected: newest?.position ?? position)
        }
        let content = try found.open(keys)
        try newest?.check(Position(epoch: epoch, generation: content.generation), tag: found.tag)
        for lane in lanes.indices where lanes[lane]?.sum != content.sums[lane] { lanes[lane] = nil }
        remember(found, content)
        return content
    }

    /// The verified map of a lane, read from the source unless it is remembered.
    ///
    /// - Throws: `tampered(.recordSet)` if the rows are not the set that the head vouches for.
    mutating func verify(_ lane: Int, _ source: any RowSource) throws(StoreError) {
        guard lanes[lane] == nil, let head else { return }
        var map = LaneMap()
        try source.eachSeal(inLane: lane) { idBytes, seal throws(StoreError) in
            guard let id = RowID(idBytes), id.lane == lane, seal.byteCount == SealedRow.sealSize,
                map.append(id, try codec.element(id: idBytes, seal: seal))
            else { throw .tampered(.recordSet(lane: lane)) }
        }
        if map.sum != head.sums[lane] {
            guard let found = try explain(lane, map, source) else { throw .tampered(.recordSet(lane: lane)) }
            note(found)
            map = found.map
        }
        lanes[lane] = map
    }

    /// Remembers which row of a lane is damaged.
    mutating func note(_ found: ExplainedLane) { damaged[found.row] = found.record }

    /// A row of a verified lane; nil if the lane does not have the row.
    ///
    /// - Throws: `tampered(.recordSet)` if the row differs from the verified row.
    mutating func row(
        _ id: RowID,
        withBody: Bool,
        _ source: any RowSource
    ) throws(StoreError) -> SealedRow? {
        try verify(id.lane, source)
        let expected = lanes[id.lane]?[id]
        let found = try source.row(id, withBody: withBody)
        guard try found.flatMap({ row throws(StoreError) in try codec.element(of: row) }) == expected else {
            // A later change of the row is reported like a change of the set of rows.
            throw .tampered(damaged[id].map { .record($0) } ?? .recordSet(lane: id.lane))
        }
        return found
    }

    /// The element of a row in a verified lane.
    func element(_ id: RowID) -> Element? { lanes[id.lane]?[id] }

    /// Every id of the vault, once all lanes are verified.
    var ids: [RowID] { lanes.flatMap { $0?.ids ?? [] } }

    /// Remembers the maps of a complete scan, which the caller has compared with the head.
    ///
    /// `broken` are the lanes that do not agree with the head; their maps are dropped.
    mutating func replaceLanes(_ maps: [LaneMap], excepting broken: Set<Int>) {
        lanes = maps.enumerated().map { broken.contains($0.offset) ? nil : $0.element }
    }

    /// Remembers the changes of a commit.
    mutating func adopt(_ plan: CommitPlan) {
        for edit in plan.edits { lanes[edit.id.lane]?.set(edit.id, to: edit.element) }
        remember(plan.head, plan.content)
    }

    /// Forgets everything but the newest position, because after a failed write the state of the vault is unknown.
    mutating func forget() {
        row = nil
        head = nil
        lanes = Array(repeating: nil, count: HeadContent.laneCount)
        damaged = [:]
    }

    private mutating func remember(_ row: HeadRow, _ content: HeadContent) {
        self.row = row
        head = content
        newest = AnchorText(row, content)
    }
}
