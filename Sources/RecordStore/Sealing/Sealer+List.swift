internal import Synchronization
internal import VaultCrypto

extension Sealer {
    /// Records of a kind (nil = every kind) with all of these attributes, ascending by id.
    ///
    /// Reads every row, so all 128 lanes are verified by it.
    package func list(
        _ kind: RecordKind?,
        where attributes: Attributes,
        _ source: any RowSource
    ) throws(StoreError) -> [RecordInfo] {
        var list = try ledger.withLock { ledger throws(StoreError) in
            try Self.scan(&ledger, source, kind) { $0.attributes.contains(attributes) }
        }
        list.sort { $0.id < $1.id }
        return list
    }

    /// Opens every row, bodies too; says how many there are.
    ///
    /// - Throws: `tampered` for the first part that fails.
    package func verify(_ source: any RowSource) throws(StoreError) -> Int {
        try ledger.withLock { ledger throws(StoreError) in
            _ = try Self.scan(&ledger, source, nil) { _ in false }
            guard let head = ledger.head else { throw .locked }
            let ids = ledger.ids
            for id in ids {
                guard let row = try ledger.row(id, withBody: true, source) else { continue }
                let info = try ledger.codec.openMeta(row, head: head)
                // What a newer program appended is vouched for by the tag; its body may follow other rules.
                if info.isNewer { continue }
                _ = try ledger.codec.openBody(row, revision: info.revision)
            }
            return ids.count
        }
    }

    /// One pass over all rows: sums for every lane, and the infos that are wanted.
    ///
    /// Metas of another kind are opened and found to belong to their row, but not read further. A meta that does
    /// not open is only told when the sums agree: a foreign row is first of all a foreign row.
    private static func scan(
        _ ledger: inout Ledger,
        _ source: any RowSource,
        _ kind: RecordKind?,
        wanted: (RecordInfo) -> Bool
    ) throws(StoreError) -> [RecordInfo] {
        guard let head = ledger.head else { throw .locked }
        var maps = Array(repeating: LaneMap(), count: HeadContent.laneCount)
        var list: [RecordInfo] = []
        var failure: StoreError?
        var lane = 0
        try source.eachMeta { idBytes, seal, meta throws(StoreError) in
            guard let id = RowID(idBytes), seal.byteCount == SealedRow.sealSize, id.lane >= lane,
                maps[id.lane].append(id, try ledger.codec.element(id: idBytes, seal: seal))
            else { throw .tampered(.recordSet(lane: RowID.lane(of: idBytes))) }
            lane = id.lane
            guard failure == nil else { return }
            do throws(StoreError) {
                let info = try ledger.codec.openMeta(
                    id: id,
                    seal: seal,
                    meta: meta,
                    head: head,
                    wanting: kind
                )
                if let info, wanted(info) { list.append(info) }
            } catch {
                failure = error
            }
        }
        for lane in maps.indices where maps[lane].sum != head.sums[lane] {
            throw .tampered(.recordSet(lane: lane))
        }
        guard maps.reduce(0, { $0 + UInt64($1.count) }) == head.count else { throw .tampered(.head) }
        ledger.replaceLanes(maps)
        if let failure { throw failure }
        return list
    }
}
