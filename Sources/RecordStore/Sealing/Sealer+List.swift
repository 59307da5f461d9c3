internal import Synchronization
internal import VaultCrypto

extension Sealer {
    /// Rows with unreadable metas whose names are searched for; further rows are only counted.
    private static let maximumSearched = 16

    /// Records of a kind (nil = every kind) with all of these attributes, ascending by id.
    ///
    /// Reads every row, and so verifies all 128 lanes.
    ///
    /// - Throws: `tampered` if a damaged record may belong to the list.
    package func list(
        _ kind: RecordKind?,
        where attributes: Attributes,
        _ source: any RowSource
    ) throws(StoreError) -> [RecordInfo] {
        let survey = try survey(kind, where: attributes, source)
        if let damaged = survey.damaged.first { throw .tampered(damaged.tampered) }
        return survey.records
    }

    /// Like `list`, but reports the damaged records that may belong to the list instead of throwing.
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

    /// Opens every row with its body; returns the number of rows and the damaged ones.
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
                    // The tag authenticates the record of a newer program, but its body may have other rules.
                    if info.isNewer { continue }
                    do throws(StoreError) {
                        _ = try ledger.codec.openBody(row, revision: info.revision)
                    } catch .tampered(.body) {
                        damaged.append(DamagedRecord(info.id, lane: id.lane, part: .body))
                    }
                } catch .tampered(.record) {
                    // The scan reported the record.
                } catch .tampered(.meta) {
                    // The scan reported the record.
                }
            }
            return (ids.count, damaged)
        }
    }

    /// Reads all rows once: sums up every lane, collects the wanted infos and the damaged records.
    ///
    /// Metas of another kind are only opened and matched with their row.
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
