package import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// What came of a restore.
    package struct Restored: Sendable {
        /// Where the vault stands now; it is the floor, too.
        package let position: Position
        package let records: Int
        /// What the vault that was there knew of ended keys, sessions and hosts was carried over.
        package let isCarried: Bool
    }

    /// Puts the records of a backup in the place of those that are here, in one commit above everything that was seen here.
    ///
    /// Before the root is replaced the old vault counts, after it the restored one: a stop at any point leaves one of
    /// both whole.
    ///
    /// - Parameters:
    ///   - backup: The records, of this vault.
    ///   - found: Where the backup is in the history of the vault.
    ///   - acceptsRollback: Whether something newer of this vault may have been seen here.
    ///   - keeping: Keeps a copy of what is here, before anything is changed.
    ///   - carrying: Works out what of the vault that is here, the first view, the backup must not forget; it is told
    ///     whether nothing newer than that vault was ever seen, and answers nil for a vault that cannot be read.
    /// - Returns: Where the vault stands then.
    /// - Throws: `rollback` unless that is accepted, and in any case for a backup from before the last rekey or move;
    ///   `newerRecord`; what `keeping` throws, and what a commit does: nothing has changed then, but after
    ///   `commitUnknown`.
    package func restore(
        _ backup: any RecordReader,
        at found: Position,
        acceptsRollback: Bool,
        keeping: (any RecordReader, Position) throws(StoreError) -> Void,
        carrying: (any RecordReader, any RecordReader, _ isWhole: Bool) -> [Change]? = { _, _, _ in nil }
    ) throws(StoreError) -> Restored {
        guard !isReadOnly else { throw .readOnly }
        return try unlocking { () throws(StoreError) in
            let transaction = try beginWriting(acceptsRollback: true)
            defer { withExtendedLifetime(transaction) {} }
            let old = transaction.found.root
            let seen = [transaction.anchor?.seen?.position, transaction.before].compactMap(\.self)
            let newest = seen.reduce(old.position) { max($0, $1) }
            guard found.epoch >= newest.epoch, acceptsRollback || found >= newest else {
                throw .rollback(found: found, expected: newest)
            }
            let last = max(newest.generation, found.generation)
            guard last < Root.lastGeneration else { throw .tampered(.head) }
            let live = KeyringReader(items, old, lockFile, transaction.held)
            try keeping(live, old.position)
            // Nothing newer was seen here, and something was: else it may be an old copy itself.
            let isWhole = transaction.anchor?.seen != nil && newest == old.position
            let changes = carrying(live, backup, isWhole)
            var next = NextRoot(
                root: Root(
                    vaultID: vaultID,
                    keys: old.keys,
                    epoch: found.epoch,
                    generation: last + 1,
                    floor: last + 1,
                    mark: old.mark
                )
            )
            let records = try records(of: backup, with: changes ?? [], revision: last + 1)
            try fill(&next, records)
            try write(next, transaction) { () throws(StoreError) in try tidy(transaction.found) }
            return Restored(
                position: transaction.found.root.position,
                records: records.count,
                isCarried: changes != nil
            )
        }
    }

    /// The records of a backup, with changes made to them.
    private func records(
        of backup: any RecordReader,
        with changes: [Change],
        revision: Revision
    ) throws(StoreError) -> [(RecordInfo, Secret)] {
        try ChangeSet(floor: 0, changes: changes).check()
        var records: [RecordID: (RecordInfo, Secret)] = [:]
        for (info, body) in try Self.records(of: backup, revision) { records[info.id] = (info, body) }
        for change in changes {
            let old = records[change.id]?.0
            switch change {
            case .delete(let id, let expected):
                guard expected == nil || expected == old?.revision ?? 0 else { throw .conflict }
                records[id] = nil
            case .put(let draft, let expected):
                guard expected == old?.revision ?? 0 else { throw .conflict }
                let info = draft.written(over: old, revision: revision, at: now(), entropy)
                records[info.id] = (info, draft.body)
            }
        }
        return records.values.sorted { $0.0.id < $1.0.id }
    }

    /// Removes the pages that the vault had before, and makes the copies for other programs what they should be.
    private func tidy(_ found: FoundRoot) throws(StoreError) {
        _ = try items.removeLeftovers(found.root)
        let inspection = try Inspection(found, items, copies)
        try copies.publish(inspection.differing)
        if inspection.unpublished.count <= Copies.maximum { try copies.publish(inspection.unpublished) }
    }
}
