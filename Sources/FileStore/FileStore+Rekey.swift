internal import Files
package import RecordStore
internal import VaultCrypto

extension FileStore {
    /// Finds early what would keep the key from being changed: a store that is only read, a disk without room.
    package func checkRekey() throws(StoreError) {
        guard !isReadOnly else { throw .readOnly }
        try PreparedRekey.checkRoom(paths)
    }

    /// Draws a new vault key and wraps it for the slots that stay; nothing is written yet.
    ///
    /// - Parameter slots: The slots under the next key.
    /// - Returns: The next key, and the slots wrapped to it.
    /// - Throws: `readOnly`; `diskFull` where the draft has no room; `noSuchSlot`, `slotLimit`, `lastSlot`;
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

    /// Changes the vault key, in one transaction: a stop at any point leaves the vault wholly old or wholly new.
    ///
    /// While no other process can write, every record is sealed again in a draft beside the vault; the draft is read whole by
    /// a reader of its own and compared with the vault; then its rows take the place of the vault's. Revisions, uids,
    /// times and floor stay. Other processes get `rekeyed` from their next look on; this one goes on under the new key.
    ///
    /// The draft is no vault: it has no slots, and its head names a vault that does not exist. The head and the slots
    /// under the next key are written nowhere but into the vault itself. After the commit nothing throws.
    ///
    /// - Parameters:
    ///   - prepared: The next key and slots.
    ///   - changes: Works out changes that are made in the same commit, on a view of the vault as it is.
    /// - Returns: where the vault stands then.
    /// - Throws: `conflict` when the slots changed since; `busy`; `tampered` for a vault with anything that cannot be
    ///   vouched for; `newerRecord` for a row that is no record; `diskFull`, `io`: nothing has changed.
    ///   `commitUnknown` for every failure of the commit itself: the next opening tells which key counts.
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
                // SQLite may replay whatever the commit left in the log later, after any failure.
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

    /// Writes the records under the next key into an empty file, reads it whole, and compares.
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

/// A key slot that the vault has under its next key; present ones that are not named go.
package enum RekeyedSlot: Sendable {
    /// The slot of this number, wrapped to the next key without its secret.
    case carried(UInt32)
    /// The slot of this number made again from its secret, with its label and time.
    case remade(UInt32, Unlock)
    /// A slot that was not there.
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
