internal import VaultCrypto

/// A lane with exactly one damaged row, and the element that this row should have.
struct ExplainedLane {
    let map: LaneMap
    let row: RowID
    let record: DamagedRecord
}

// The damaged record is identified by undoing the damage in memory (Schemas/vault-file.md section 4). The sum of the
// lane shows a wrong byte of a seal, and the tag of a meta shows a wrong byte of that meta. A wrong match is as
// unlikely as any other forgery.

extension Ledger {
    /// Metas up to this many bytes are searched byte by byte, longer ones bit by bit.
    private static let longestByBytes = 512
    /// Metas above this many bytes are not searched.
    private static let longestByBits = 4_096

    /// Finds whether one changed byte in the seal of one row explains a lane's wrong sum; nil if not: then a row may be
    /// missing, or an old row was put back.
    mutating func explain(
        _ lane: Int,
        _ map: LaneMap,
        _ source: any RowSource
    ) throws(StoreError) -> ExplainedLane? {
        guard let head else { return nil }
        var suspect: (row: SealedRow, part: DamagedRecord.Part)?
        for id in map.ids {
            guard let row = try source.row(id, withBody: true) else { return nil }
            guard let part = try fault(of: row, head) else { continue }
            guard suspect == nil else { return nil }
            suspect = (row, part)
        }
        guard let (row, part) = suspect, let present = map[row.id] else { return nil }
        var expected = head.sums[lane]
        expected ^= map.sum
        expected ^= present
        guard let mended = try mended(row, part, to: expected) else { return nil }
        var map = map
        map.set(row.id, to: expected)
        return ExplainedLane(
            map: map,
            row: row.id,
            record: DamagedRecord(try info(of: mended, head)?.id, lane: lane, part: part)
        )
    }

    /// All records of a lane whose wrong sum has no explanation: all of them fail authentication.
    mutating func suspects(
        _ lane: Int,
        _ map: LaneMap,
        _ source: any RowSource
    ) throws(StoreError) -> [DamagedRecord] {
        guard let head else { return [] }
        var found = [DamagedRecord(nil, lane: lane, part: .recordSet)]
        for id in map.ids {
            guard let row = try source.row(id, withBody: false) else { continue }
            let info = try info(of: row, head)
            found.append(DamagedRecord(info?.id, lane: lane, part: info == nil ? .meta : .recordSet))
        }
        return found
    }

    /// A row of a verified lane whose meta does not open, by its name if only one byte has changed.
    ///
    /// `isSearched` is false if so many rows are damaged that a search for the name would be too slow.
    mutating func unread(
        _ id: RowID,
        isSearched: Bool,
        _ source: any RowSource
    ) throws(StoreError) -> DamagedRecord {
        var name: RecordID?
        if isSearched, let head, let row = try source.row(id, withBody: false),
            row.meta.count <= Self.longestByBits
        {
            let changes: [UInt8] =
                row.meta.count <= Self.longestByBytes ? Array(1...255) : (0..<8).map { 1 << $0 }
            var meta = row.meta
            search: for place in meta.indices {
                let present = meta[place]
                for change in changes {
                    meta[place] = present ^ change
                    let other = SealedRow(id: id, seal: row.seal, meta: meta, body: [])
                    if let info = try info(of: other, head) {
                        name = info.id
                        break search
                    }
                }
                meta[place] = present
            }
        }
        return DamagedRecord(name, lane: id.lane, part: .meta)
    }

    /// The part of a row that does not open; nil for a sound row.
    private mutating func fault(
        of row: SealedRow,
        _ head: HeadContent
    ) throws(StoreError) -> DamagedRecord.Part? {
        do throws(StoreError) {
            let info = try codec.openMeta(row, head: head)
            // The body of a newer record may have other rules.
            if !info.isNewer { _ = try codec.openBody(row, revision: info.revision) }
            return nil
        } catch .tampered(.meta) {
            return .meta
        } catch .tampered(.body) {
            return .body
        } catch .newerRecord {
            return nil
        }
    }

    private mutating func info(of row: SealedRow, _ head: HeadContent) throws(StoreError) -> RecordInfo? {
        do throws(StoreError) {
            return try codec.openMeta(row, head: head)
        } catch .tampered {
            return nil
        } catch .newerRecord {
            return nil
        }
    }

    /// The row, with one byte of its seal changed to match an element; nil if no change matches.
    private mutating func mended(
        _ row: SealedRow,
        _ part: DamagedRecord.Part,
        to expected: Element
    ) throws(StoreError) -> SealedRow? {
        let half = part == .meta ? 0..<Envelope.openingSize : Envelope.openingSize..<SealedRow.sealSize
        let id = row.id.bytes
        var seal = row.seal
        for place in half {
            let present = seal[place]
            for change in UInt8(1)...255 {
                seal[place] = present ^ change
                let element = try id.withBytes { id throws(StoreError) in
                    try seal.withBytes { seal throws(StoreError) in try codec.element(id: id, seal: seal) }
                }
                if element == expected { return SealedRow(id: row.id, seal: seal, meta: row.meta, body: []) }
            }
            seal[place] = present
        }
        return nil
    }
}
