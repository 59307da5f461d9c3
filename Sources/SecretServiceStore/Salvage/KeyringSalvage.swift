package import RecordStore
internal import VaultCrypto

/// The readable part of a damaged vault in the keyring (Schemas/keyring-vault.md section 12).
///
/// Each item was read separately, and the keyring was not changed. All records are in memory, so the keyring is not read
/// again.
package struct KeyringSalvage: Sendable {
    /// An item of the vault with unreadable or unexpected content.
    package struct DamagedItem: Equatable, Sendable {
        /// The path of the item.
        package let path: ItemPath
        /// The label for people.
        package let label: String
    }

    /// The vault's id: 16 bytes, public.
    package let vaultID: [UInt8]
    /// The position of the root that was found.
    package let position: Position
    /// Whether the root is the copy beside the anchor, because the keyring has no newer root.
    package let isFromCopy: Bool
    /// The items that are unreadable or changed, ascending by path; missing items are not listed.
    package let damagedItems: [DamagedItem]
    /// The kept records with their states.
    let kept: [RecordID: (record: Record, status: LaneVerdict.RowStatus)]
    /// The names of records with a lost body.
    let lost: [RecordID: String]
    /// Old versions and deleted records that are left out.
    let leftOut: [RecordID]
    /// The number of records by the root.
    let counted: UInt64
    /// The newest position that was seen on this machine.
    let seen: Position?
    /// Whether this machine saw another root at the same position: a commit is missing.
    let isFork: Bool

    /// The newest generation of the root, of the kept records, or seen on this machine; one more for a fork.
    var newest: UInt64 {
        let remembered = seen.map { $0.epoch == position.epoch ? $0.generation : 0 } ?? 0
        let revisions = kept.values.reduce(0) { max($0, $1.record.info.revision) }
        return max(position.generation, remembered, revisions) + (isFork ? 1 : 0)
    }

    /// Returns the position for the new vault, above every generation that was seen.
    ///
    /// - Throws: `corrupt` if no higher generation is left.
    package func next() throws(StoreError) -> Position {
        guard newest < Root.lastGeneration else { throw .corrupt }
        return Position(epoch: position.epoch, generation: newest + 1)
    }

    /// The records, all of which predate a restore.
    package func reader() throws(StoreError) -> any RecordReader {
        SalvagedReader(records: kept.mapValues(\.record), generation: try next().generation)
    }

    /// The result of the salvage.
    ///
    /// - Parameter isCompared: Whether a record of a kind decides about trust.
    /// - Returns: A report like that of a vault file, without lanes.
    package func report(isCompared: (RecordKind) -> Bool) -> SalvageReport {
        var report = SalvageReport(
            root: position,
            counted: counted,
            newest: newest,
            laterEpoch: seen.flatMap { $0.epoch > position.epoch ? $0.epoch : nil }
        )
        for (record, status) in kept.values.sorted(by: { $0.record.info.id < $1.record.info.id }) {
            let name = SalvagedName(record.info.id, label: record.info.label)
            report.add(name, record.info.revision, status, isCompared)
        }
        for (id, label) in lost.sorted(by: { $0.key < $1.key }) {
            report.add(lost: SalvagedName(id, label: label))
        }
        for id in leftOut { report.add(leftOut: id.kind) }
        return report
    }
}

/// The records of a salvage under a floor above all of them.
private struct SalvagedReader: RecordReader {
    let records: [RecordID: Record]
    let generation: UInt64

    var floor: UInt64 { generation }
    func find(_ id: RecordID) throws(StoreError) -> Record? { records[id] }
    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? { records[id]?.info }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        records.values.map(\.info)
            .filter { (kind == nil || $0.id.kind == kind) && $0.attributes.contains(attributes) }
            .sorted { $0.id < $1.id }
    }
}
