internal import Synchronization
internal import VaultCrypto

extension Sealer {
    /// Plans the rows of a change set, from a snapshot that no other process can change meanwhile.
    ///
    /// Verifies the lanes that change and uses the verified old elements, so a commit cannot hide damage. Random bytes
    /// are drawn in this order: for each put uid (if new), nonce of the meta, nonce of the body; then the nonce of the
    /// head.
    ///
    /// - Throws: `conflict` if the floor or a revision is not the expected one; `newerRecord`; `invalidRecord`;
    ///   `tampered`.
    package func plan(_ changes: ChangeSet, _ source: any RowSource) throws(StoreError) -> CommitPlan {
        try changes.check()
        return try ledger.withLock { ledger throws(StoreError) in
            guard var head = ledger.head else { throw .locked }
            guard changes.floor == head.floor else { throw .conflict }
            head.generation += 1
            var rows = PlannedRows()
            for change in changes.changes {
                try plan(change, &ledger, source, &head, &rows)
            }
            return try finish(head, rows)
        }
    }

    /// Plans the head for a change of the slots.
    ///
    /// The present slots are verified first; otherwise the new head would vouch for a planted slot.
    ///
    /// - Throws: `tampered(.slots)`.
    package func plan(slots: Keyslots, replacing present: Keyslots) throws(StoreError) -> CommitPlan {
        try ledger.withLock { ledger throws(StoreError) in
            guard var head = ledger.head else { throw .locked }
            try check(present, head)
            head.generation += 1
            head.slotDigest = try slots.digest(keys)
            var plan = try finish(head, PlannedRows())
            plan.slots = slots
            return plan
        }
    }

    /// Plans the head that accepts an old state of the vault as the present one.
    ///
    /// Its generation is above everything seen, and becomes the floor.
    ///
    /// - Parameters:
    ///   - newest: The newest known generation of the vault.
    ///   - changes: Further known facts; their records count as written after the restore.
    ///   - source: The rows of the old state.
    /// - Returns: The plan for one transaction.
    /// - Throws: `locked`; for the changes the errors of `plan(_:_:)`.
    package func planAcceptingRollback(
        above newest: UInt64,
        carrying changes: [Change] = [],
        _ source: any RowSource
    ) throws(StoreError) -> CommitPlan {
        try ChangeSet(floor: 0, changes: changes).check()
        return try ledger.withLock { ledger throws(StoreError) in
            guard var head = ledger.head else { throw .locked }
            head.generation = max(head.generation, newest) + 1
            head.floor = head.generation
            var rows = PlannedRows()
            for change in changes { try plan(change, &ledger, source, &head, &rows) }
            return try finish(head, rows)
        }
    }

    /// Checks that the head vouches for these slots; throws `tampered(.slots)` otherwise.
    package func check(_ slots: Keyslots, _ head: HeadContent) throws(StoreError) {
        guard ConstantTime.equal(try slots.digest(keys), head.slotDigest) else { throw .tampered(.slots) }
    }

    private func plan(
        _ change: Change,
        _ ledger: inout Ledger,
        _ source: any RowSource,
        _ head: inout HeadContent,
        _ rows: inout PlannedRows
    ) throws(StoreError) {
        let id = try ledger.codec.rowID(of: change.id)
        try ledger.verify(id.lane, source)
        // A row that the verified lane does not have need not be read: inserting it fails if it exists.
        var old: RecordInfo?
        if ledger.element(id) != nil {
            old = try Self.look(change.id, &ledger, source, withBody: false)?.info
        }
        guard old?.isNewer != true else { throw .newerRecord }
        switch change {
        case .delete(_, let expected):
            guard expected == nil || expected == old?.revision ?? 0 else { throw .conflict }
            guard old != nil else { return }
            rows.deletes.append(id)
            rows.edits.append((id, nil))
            head.count -= 1
        case .put(let draft, let expected):
            guard expected == old?.revision ?? 0 else { throw .conflict }
            let info = draft.written(over: old, revision: head.generation, at: now(), entropy)
            let row = try ledger.codec.seal(info, at: id, body: draft.body, entropy: entropy)
            guard let element = try ledger.codec.element(of: row) else { throw .corrupt }
            if old == nil {
                rows.inserts.append(row)
                head.count += 1
            } else {
                rows.updates.append(row)
            }
            rows.edits.append((id, element))
            head.sums[id.lane] ^= element
        }
        if let element = ledger.element(id) { head.sums[id.lane] ^= element }
    }

    private func finish(_ head: HeadContent, _ rows: PlannedRows) throws(StoreError) -> CommitPlan {
        let row = try HeadRow(head, vaultID: vaultID, epoch: epoch, keys: keys, entropy: entropy)
        var plan = CommitPlan(head: row, content: head)
        plan.inserts = rows.inserts
        plan.updates = rows.updates
        plan.deletes = rows.deletes
        plan.edits = rows.edits
        return plan
    }
}

/// Rows collected for a plan before its head is known.
private struct PlannedRows {
    var inserts: [SealedRow] = []
    var updates: [SealedRow] = []
    var deletes: [RowID] = []
    var edits: [(id: RowID, element: Element?)] = []
}

/// The rows that a commit writes, computed before anything is written.
///
/// An adapter writes the whole plan in one transaction, or under one compare-and-swap of the head. Then it calls the
/// `Sealer`'s `adopt` or `forget`.
package struct CommitPlan: Sendable {
    /// Rows that must not exist yet; an existing one was planted.
    package internal(set) var inserts: [SealedRow] = []
    /// Rows that must exist.
    package internal(set) var updates: [SealedRow] = []
    /// Rows that must exist and are removed.
    package internal(set) var deletes: [RowID] = []
    /// The slots after the commit; nil if they do not change.
    package internal(set) var slots: Keyslots?
    /// The new head.
    package let head: HeadRow
    /// The number of this commit.
    package var generation: UInt64 { content.generation }
    /// The anchor of the new head.
    package var anchor: AnchorText { AnchorText(head, content) }
    /// The content of the new head.
    let content: HeadContent
    /// Elements that change, for the remembered lane maps.
    var edits: [(id: RowID, element: Element?)] = []

    init(head: HeadRow, content: HeadContent) {
        self.head = head
        self.content = content
    }

    /// The head under another vault id or key.
    package func head(under sealer: Sealer) throws(StoreError) -> HeadRow {
        try HeadRow(
            content,
            vaultID: sealer.vaultID,
            epoch: sealer.epoch,
            keys: sealer.keys,
            entropy: sealer.entropy
        )
    }
}
