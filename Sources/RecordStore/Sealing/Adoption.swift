package import VaultCrypto

/// The rows of a new vault that keeps the records of another store unchanged, with their revisions, times and uids.
///
/// One record is in memory at a time; the head is complete after the last record.
package struct Adoption: ~Copyable {
    private let keys: VaultKeys
    private let vaultID: [UInt8]
    private let epoch: UInt32
    private let entropy: Entropy
    private var codec: RecordCodec
    private var head: HeadContent

    /// A vault without records yet, at a later position in the history than every record of the source.
    ///
    /// - Parameters:
    ///   - keys: The keys of the new vault.
    ///   - vaultID: The id of the source, 16 bytes, which the new vault keeps.
    ///   - position: Key epoch and generation of the new vault.
    ///   - floor: The floor of the source, so that the same records count as written before a restore.
    ///   - slots: The key slots of the new vault, which its head vouches for.
    ///   - entropy: The source of nonces.
    /// - Throws: `corrupt` for a floor above the generation; `outOfMemory`.
    package init(
        keys: VaultKeys,
        vaultID: [UInt8],
        position: Position,
        floor: UInt64,
        slots: Keyslots,
        entropy: Entropy
    ) throws(StoreError) {
        guard floor <= position.generation else { throw .corrupt }
        var start = HeadContent(slotDigest: try slots.digest(keys))
        start.generation = position.generation
        start.floor = floor
        let codec = try RecordCodec(keys: keys)
        self.keys = keys
        self.vaultID = vaultID
        epoch = position.epoch
        self.entropy = entropy
        self.codec = codec
        head = start
    }

    /// Checks that every record can be carried over, before anything is written.
    ///
    /// - Returns: The records in the order of their rows, which reveals neither names nor ages and fills the pages of a
    ///   table one after the other.
    /// - Throws: `newerRecord` for a record of a newer program; `invalidRecord` for a record outside the limits;
    ///   `corrupt` for a revision above the new vault's generation.
    package func order(_ infos: [RecordInfo]) throws(StoreError) -> [RecordInfo] {
        var list: [(row: RowID, info: RecordInfo)] = []
        for info in infos {
            guard !info.isNewer else { throw .newerRecord }
            guard (1...head.generation).contains(info.revision) else { throw .corrupt }
            list.append((try codec.rowID(of: info.id), info))
        }
        list.sort { $0.row < $1.row }
        return list.map(\.info)
    }

    /// The row of a record, counted in the future head; pass each record once.
    ///
    /// - Throws: `invalidRecord` for a record outside the limits.
    package mutating func seal(_ record: Record) throws(StoreError) -> SealedRow {
        let info = record.info
        let draft = RecordDraft(
            id: info.id,
            label: info.label,
            attributes: info.attributes,
            body: record.body,
            uid: info.uid
        )
        try draft.check()
        let row = try codec.seal(info, body: record.body, entropy: entropy)
        guard let element = try codec.element(of: row) else { throw .corrupt }
        head.sums[row.id.lane] ^= element
        head.count += 1
        return row
    }

    /// The head over all rows so far.
    package func finish() throws(StoreError) -> HeadRow {
        try HeadRow(head, vaultID: vaultID, epoch: epoch, keys: keys, entropy: entropy)
    }
}
