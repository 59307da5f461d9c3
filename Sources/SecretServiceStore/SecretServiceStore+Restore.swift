package import RecordStore
internal import VaultCrypto

extension SecretServiceStore {
    /// The result of a restore.
    package struct Restored: Sendable {
        /// The vault's new position; its generation is also the floor.
        package let position: Position
        package let records: Int
        /// Whether facts of the former vault about ended keys, sessions and hosts were kept.
        package let isCarried: Bool
    }

    /// Replaces all records by the records of a backup, in one commit above every generation seen on this machine.
    ///
    /// The old vault is valid until the root is replaced, then the restored one. A stop at any point leaves one of them
    /// complete.
    ///
    /// - Parameters:
    ///   - backup: The records of the backup, which is of this vault.
    ///   - found: The backup's position in the history of the vault.
    ///   - acceptsRollback: Whether a newer state of this vault may be undone.
    ///   - keeping: Keeps a copy of the present records before anything changes.
    ///   - carrying: Returns the facts of the present vault, its first argument, that the backup must not
    ///     forget; nil if that vault is unreadable. `isWhole` says whether nothing newer than that vault was
    ///     ever seen.
    /// - Returns: The new position and what was restored.
    /// - Throws: `rollback` unless accepted, and always for a backup from before the last rekey or move;
    ///   `newerRecord`; the errors of `keeping` and of a commit. After an error nothing has changed, except
    ///   after `commitUnknown`.
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
            // This holds if this machine has seen the vault, and nothing newer. Otherwise the vault may be an old copy
            // itself.
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

    /// The records of a backup with some changes applied.
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

    /// Removes the vault's former pages, and updates the copies for other programs.
    private func tidy(_ found: FoundRoot) throws(StoreError) {
        _ = try items.removeLeftovers(found.root)
        let inspection = try Inspection(found, items, copies)
        try copies.publish(inspection.differing)
        if inspection.unpublished.count <= Copies.maximum { try copies.publish(inspection.unpublished) }
    }
}
