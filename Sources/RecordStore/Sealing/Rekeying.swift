internal import Synchronization
package import VaultCrypto

/// The rows of a vault as they are sealed again under the next vault key, with their revisions, uids and times.
///
/// One record is in memory at a time; the head is complete after the last record.
package struct Rekeying: ~Copyable {
    private let keys: VaultKeys
    private let vaultID: [UInt8]
    private let epoch: UInt32
    private let entropy: Entropy
    private let codec: RecordCodec
    private var elements: RecordCodec
    private var head: HeadContent

    /// The vault under its next key, without records yet.
    ///
    /// - Parameters:
    ///   - source: The vault under its present key, whose position in the history and floor stay.
    ///   - keys: The next keys.
    ///   - slots: The slots under the next key, covered by the head's digest.
    ///   - vaultID: The vault that the head names.
    /// - Throws: `locked` for a source whose head was not observed.
    package init(
        of source: Sealer,
        _ keys: VaultKeys,
        _ slots: Keyslots,
        vaultID: [UInt8]
    ) throws(StoreError) {
        guard var head = source.head else { throw .locked }
        head.slotDigest = try slots.digest(keys)
        head.count = 0
        head.sums = HeadContent(slotDigest: head.slotDigest).sums
        let codec = try RecordCodec(keys: keys)
        let elements = try RecordCodec(keys: keys)
        self.keys = keys
        self.vaultID = vaultID
        epoch = source.epoch + 1
        entropy = source.entropy
        self.codec = codec
        self.elements = elements
        self.head = head
    }

    /// The records in the order of their next rows, which fills the pages of a table one after the other.
    package func order(_ infos: [RecordInfo]) throws(StoreError) -> [RecordID] {
        var list: [(row: RowID, id: RecordID)] = []
        list.reserveCapacity(infos.count)
        for info in infos { list.append((try codec.rowID(of: info.id), info.id)) }
        list.sort { $0.row < $1.row }
        return list.map(\.id)
    }

    /// The next row of a record, counted in the future head; pass each record once.
    mutating func seal(_ row: borrowing OpaqueRow) throws(StoreError) -> SealedRow {
        let sealed = try codec.sealOpaque(row, entropy: entropy)
        guard let element = try elements.element(of: sealed) else { throw .corrupt }
        head.sums[sealed.id.lane] ^= element
        head.count += 1
        return sealed
    }

    /// The head over all rows so far.
    package func finish() throws(StoreError) -> HeadRow {
        try HeadRow(head, vaultID: vaultID, epoch: epoch, keys: keys, entropy: entropy)
    }
}

/// The sum of a set of records, independent of the vault key: equal sums mean equal sets.
package struct RecordSum: Equatable, Sendable {
    private var count = 0
    private var sum = Element.zero

    mutating func add(_ element: Element) {
        count += 1
        sum ^= element
    }
}

extension Sealer {
    /// The newest observed head.
    var head: HeadContent? { ledger.withLock { $0.head } }

    /// Seals every record again, one after the other.
    ///
    /// All lanes are verified first. A damaged record stops the change, because it cannot be opened and sealed again.
    ///
    /// - Parameters:
    ///   - rekeying: Seals the rows, and makes the head.
    ///   - changed: Records that the sum leaves out.
    ///   - key: 32 random bytes for the sum.
    ///   - source: The rows under the present key.
    ///   - write: Gets every row under the next key, ascending by its id.
    /// - Returns: the sum over the records.
    /// - Throws: `tampered`; `newerRecord` for a row that is not a record; what `write` throws.
    package func rekey(
        _ rekeying: inout Rekeying,
        leavingOut changed: Set<RecordID>,
        _ key: Secret,
        _ source: any RowSource,
        _ write: (SealedRow) throws(StoreError) -> Void
    ) throws(StoreError) -> RecordSum {
        let order = try rekeying.order(list(nil, where: .none, source))
        var sum = RecordSum()
        for id in order {
            let row = try opaque(id, source)
            if !changed.contains(id) { sum.add(try row.element(key)) }
            try write(rekeying.seal(row))
        }
        return sum
    }

    /// Verifies all lanes, and opens every row with its body.
    ///
    /// - Returns: the sum over the records.
    /// - Throws: `tampered` for the first fault.
    package func sum(
        leavingOut changed: Set<RecordID>,
        _ key: Secret,
        _ source: any RowSource
    ) throws(StoreError) -> RecordSum {
        var sum = RecordSum()
        for info in try list(nil, where: .none, source) {
            let row = try opaque(info.id, source)
            if !changed.contains(info.id) { sum.add(try row.element(key)) }
        }
        return sum
    }

    private func opaque(_ id: RecordID, _ source: any RowSource) throws(StoreError) -> OpaqueRow {
        try ledger.withLock { ledger throws(StoreError) in
            guard let head = ledger.head else { throw .locked }
            let rowID = try ledger.codec.rowID(of: id)
            guard let row = try ledger.row(rowID, withBody: true, source) else {
                throw .tampered(.recordSet(lane: rowID.lane))
            }
            do throws(StoreError) {
                return try ledger.codec.openOpaque(row, head: head)
            } catch .tampered(.meta) {
                throw .tampered(.record(DamagedRecord(id, lane: rowID.lane, part: .meta)))
            } catch .tampered(.body) {
                throw .tampered(.record(DamagedRecord(id, lane: rowID.lane, part: .body)))
            }
        }
    }
}
