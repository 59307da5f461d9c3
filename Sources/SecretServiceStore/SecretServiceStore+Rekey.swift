package import RecordStore

extension SecretServiceStore {
    /// Begins the next key epoch in one commit: from then on, every earlier copy of the keyring is refused, and cannot
    /// be accepted.
    ///
    /// The items stay sealed by the keyring's own password. Other processes that have the vault open get `rekeyed` at
    /// their next read, and open it again; this process continues.
    ///
    /// - Parameter changes: Returns changes for the same commit, from a view of the present vault.
    /// - Returns: The vault's new position.
    /// - Throws: As `commit`; then nothing has changed, except after `commitUnknown`.
    package func rekey(
        applying changes: (any RecordReader, Position) throws(StoreError) -> [Change] = { _, _ in [] }
    ) throws(StoreError) -> Position {
        guard !isReadOnly else { throw .readOnly }
        return try unlocking { () throws(StoreError) in
            let transaction = try beginWriting()
            defer { withExtendedLifetime(transaction) {} }
            let root = transaction.found.root
            guard root.epoch < .max else { throw .corrupt }
            let reader = KeyringReader(items, root, lockFile, transaction.held)
            let set = ChangeSet(floor: root.floor, changes: try changes(reader, root.position))
            try set.check()
            try carryOut(plan(set, transaction), transaction, epoch: root.epoch + 1)
            return transaction.found.root.position
        }
    }
}
