internal import Files
package import RecordStore
internal import VaultCrypto

extension FileStore {
    /// Checks in advance that the vault key can be changed: the store must be writable, and the disk needs room.
    package func checkRekey() throws(StoreError) {
        guard !isReadOnly else { throw .readOnly }
        try PreparedRekey.checkRoom(paths)
    }

    /// Draws a new vault key and wraps it for the slots that stay; nothing is written yet.
    ///
    /// - Parameter slots: The slots under the next key.
    /// - Returns: The next key, and the slots wrapped to it.
    /// - Throws: `readOnly`; `diskFull` if the draft has no room; `noSuchSlot`, `slotLimit`, `lastSlot`;
    ///   `tampered(.slots)`.
    package func prepareRekey(_ slots: [RekeyedSlot]) throws(StoreError) -> PreparedRekey {
        try checkRekey()
        let (_, sealer) = try unlocked()
        CopyFile.sweep(beside: paths.vault)
        return try PreparedRekey(slots, of: keyslots(), sealer)
    }

    /// The slots that can be wrapped to a new vault key without their secrets.
    package func carriedSlots() throws(StoreError) -> [UInt32] {
        try keyslots().rows.filter(\.isCarried).map(\.number)
    }

    /// Changes the vault key in one transaction: a stop at any point leaves the vault completely old or completely new.
    ///
    /// No other process can write meanwhile. Every record is sealed again in a draft beside the vault. A separate
    /// reader reads the whole draft and compares it with the vault; then its rows replace the vault's. Revisions, uids,
    /// times and floor stay. The next read of other processes throws `rekeyed`; this store continues under the new key.
    ///
    /// The draft cannot be used as a vault: it has no slots, and its head names a vault that does not exist. Head and
    /// slots under the next key are written only into the vault itself. After the commit nothing throws.
    ///
    /// - Parameters:
    ///   - prepared: The next key and slots.
    ///   - changes: Returns changes for the same commit, from a view of the present vault.
    /// - Returns: the vault's new position.
    /// - Throws: `conflict` if the slots changed since; `busy`; `tampered` if anything in the vault is not authentic;
    ///   `newerRecord` for a row that is not a record; `diskFull`, `io`: nothing has changed. `commitUnknown` for every
    ///   failure of the commit itself: the next opening shows which key is valid.
    package func rekey(
        _ prepared: PreparedRekey,
        applying changes: (any RecordReader, Position) throws(StoreError) -> [Change] = { _, _ in [] }
    ) throws(StoreError) -> RekeyReport {
        guard !isReadOnly else { throw .readOnly }
        let (connection, sealer) = try unlocked()
        let next = try prepared.sealer(vaultID, sealer)
        var held: HeldAnchor?
        var isWriting = false
        let written: (row: HeadRow, head: HeadContent)
        do throws(StoreError) {
            written = try connection.write { rows throws(StoreError) in
                let row = try rows.head()
                let head = try sealer.observe(row)
                held = try checkedAnchor(AnchorText(row, head))
                guard try rows.slots() == prepared.present else { throw .conflict }
                try sealer.check(prepared.present, head)
                let changes = ChangeSet(
                    floor: head.floor,
                    changes: try changes(
                        SealedReader(sealer, rows, head),
                        Position(epoch: row.epoch, generation: head.generation)
                    )
                )
                let draft = try CopyFile.begin(beside: paths.vault, sealer.entropy)
                let plan = try fill(draft.draft, from: rows, sealer, prepared, changes)
                let newRow = try plan.head(under: next)
                let newHead = try next.observe(newRow)
                isWriting = true
                try Connection(draft.draft, .immutable).read { new throws(StoreError) in
                    try rows.replaceAll(by: new, newRow, prepared.slots)
                }
                return (newRow, newHead)
            } failedCommit: { _ in
                // After any failure, SQLite may later replay what the commit left in the log.
                .commitUnknown
            } committed: { _ in
                go(on: connection, next)
            }
        } catch {
            if isWriting { sealer.forget() }
            throw error
        }
        raise(held, to: AnchorText(written.row, written.head))
        emptyLog()
        return RekeyReport(
            position: Position(epoch: prepared.epoch, generation: written.head.generation),
            records: Int(clamping: written.head.count),
            slots: prepared.infos
        )
    }

    /// Writes the records under the next key into an empty file, reads it completely, and compares.
    ///
    /// - Returns: the commit, with a head that names no vault.
    private func fill(
        _ draft: String,
        from rows: SQLRows,
        _ sealer: Sealer,
        _ prepared: PreparedRekey,
        _ changes: ChangeSet
    ) throws(StoreError) -> CommitPlan {
        let key: Secret
        do { key = Secret(try sealer.entropy.secret(32)) } catch { throw StoreError(error) }
        let nobody = sealer.entropy.bytes(vaultID.count)
        let next = try prepared.sealer(nobody, sealer)
        let changed = Set(changes.changes.map(\.id))
        var written: (plan: CommitPlan, sum: RecordSum)?
        try Creation.write(draft) { new throws(StoreError) in
            var rekeying = try Rekeying(of: sealer, prepared.keys, prepared.slots, vaultID: nobody)
            let sum = try sealer.rekey(&rekeying, leavingOut: changed, key, rows) { row throws(StoreError) in
                try new.insert(row)
            }
            let head = try rekeying.finish()
            try new.create(head, Keyslots([]))
            try next.observe(head)
            // The commit itself: the changes, and a generation of its own.
            let plan = try next.plan(changes, new)
            try new.write(plan)
            written = (plan, sum)
        }
        guard let written else { throw .corrupt }
        let reader = try prepared.sealer(nobody, sealer)
        let found = try Connection(draft, .immutable).read { new throws(StoreError) in
            let head = try Self.soundPages(new, reader).head
            try reader.check(prepared.slots, head)
            return try reader.sum(leavingOut: changed, key, new)
        }
        guard found == written.sum else { throw .corrupt }
        return written.plan
    }
}

/// A key slot of the vault under its next key; present slots that are not named are removed.
package enum RekeyedSlot: Sendable {
    /// The slot of this number, wrapped to the next key without its secret.
    case carried(UInt32)
    /// The slot of this number made again from its secret, with the former label and time.
    case remade(UInt32, Unlock)
    /// A new slot.
    case new(NewSlot)
}

/// The result of a change of the vault key.
package struct RekeyReport: Equatable, Sendable {
    /// The vault's new position.
    package let position: Position
    /// The number of records.
    package let records: Int
    /// The vault's key slots.
    package let slots: [SlotInfo]
}
