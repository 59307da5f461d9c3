internal import Synchronization
internal import VaultCrypto

extension Sealer {
    /// Rows with unreadable metas whose names are searched for; of more of them only the number is told.
    private static let maximumSearched = 16

    /// Records of a kind (nil = every kind) with all of these attributes, ascending by id.
    ///
    /// Reads every row, so all 128 lanes are verified by it.
    ///
    /// - Throws: `tampered` while a record is damaged that may belong to the list.
    package func list(
        _ kind: RecordKind?,
        where attributes: Attributes,
        _ source: any RowSource
    ) throws(StoreError) -> [RecordInfo] {
        let survey = try survey(kind, where: attributes, source)
        if let damaged = survey.damaged.first { throw .tampered(damaged.tampered) }
        return survey.records
    }

    /// The same, short of the records that are damaged, and which of them may belong to the list.
    package func survey(
        _ kind: RecordKind?,
        where attributes: Attributes,
        _ source: any RowSource
    ) throws(StoreError) -> RecordSurvey {
        var survey = try ledger.withLock { ledger throws(StoreError) in
            try Self.scan(&ledger, source, kind) { $0.attributes.contains(attributes) }
        }
        survey.records.sort { $0.id < $1.id }
        survey.damaged.removeAll { !$0.mayBe(kind) }
        return survey
    }

    /// Opens every row, bodies too; says how many there are, and which of them are damaged.
    package func verify(_ source: any RowSource) throws(StoreError) -> (count: Int, damaged: [DamagedRecord])
    {
        try ledger.withLock { ledger throws(StoreError) in
            var damaged = try Self.scan(&ledger, source, nil) { _ in false }.damaged
            guard let head = ledger.head else { throw .locked }
            let ids = ledger.ids
            for id in ids {
                do throws(StoreError) {
                    guard let row = try ledger.row(id, withBody: true, source) else { continue }
                    let info = try ledger.codec.openMeta(row, head: head)
                    // What a newer program appended is vouched for by the tag; its body may follow other rules.
                    if info.isNewer { continue }
                    do throws(StoreError) {
                        _ = try ledger.codec.openBody(row, revision: info.revision)
                    } catch .tampered(.body) {
                        damaged.append(DamagedRecord(info.id, lane: id.lane, part: .body))
                    }
                } catch .tampered(.record) {
                    // Told by the scan.
                } catch .tampered(.meta) {
                    // The same.
                }
            }
            return (ids.count, damaged)
        }
    }

    /// One pass over all rows: sums for every lane, the infos that are wanted, and all that is damaged.
    ///
    /// Metas of another kind are opened and found to belong to their row, but not read further.
    private static func scan(
        _ ledger: inout Ledger,
        _ source: any RowSource,
        _ kind: RecordKind?,
        wanted: (RecordInfo) -> Bool
    ) throws(StoreError) -> RecordSurvey {
        guard let head = ledger.head else { throw .locked }
        var maps = Array(repeating: LaneMap(), count: HeadContent.laneCount)
        var found: [(row: RowID, info: RecordInfo)] = []
        var unread: [RowID] = []
        var broken: Set<Int> = []
        var failure: StoreError?
        var lane = 0
        try source.eachMeta { idBytes, seal, meta throws(StoreError) in
            guard let id = RowID(idBytes), seal.byteCount == SealedRow.sealSize, id.lane >= lane,
                maps[id.lane].append(id, try ledger.codec.element(id: idBytes, seal: seal))
            else {
                broken.insert(RowID.lane(of: idBytes))
                return
            }
            lane = id.lane
            do throws(StoreError) {
                let info = try ledger.codec.openMeta(
                    id: id,
                    seal: seal,
                    meta: meta,
                    head: head,
                    wanting: kind
                )
                if let info, wanted(info) { found.append((id, info)) }
            } catch .tampered {
                unread.append(id)
            } catch {
                failure = failure ?? error
            }
        }
        var damaged: [DamagedRecord] = []
        var explained: Set<RowID> = []
        for lane in maps.indices where broken.contains(lane) || maps[lane].sum != head.sums[lane] {
            if !broken.contains(lane), let found = try ledger.explain(lane, maps[lane], source) {
                ledger.note(found)
                maps[lane] = found.map
                explained.insert(found.row)
                damaged.append(found.record)
            } else {
                broken.insert(lane)
                damaged += try ledger.suspects(lane, maps[lane], source)
            }
        }
        let isWhole = maps.reduce(0, { $0 + UInt64($1.count) }) == head.count
        guard isWhole || !broken.isEmpty else { throw .tampered(.head) }
        ledger.replaceLanes(maps, excepting: broken)
        if let failure { throw failure }
        unread.removeAll { broken.contains($0.lane) || explained.contains($0) }
        for (number, id) in unread.enumerated() {
            damaged.append(try ledger.unread(id, isSearched: number < maximumSearched, source))
        }
        found.removeAll { broken.contains($0.row.lane) || explained.contains($0.row) }
        return RecordSurvey(records: found.map(\.info), damaged: damaged)
    }
}
