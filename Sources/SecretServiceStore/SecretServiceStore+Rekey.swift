package import RecordStore

extension SecretServiceStore {
    /// Begins the next key epoch, in one commit: every copy of the keyring from before is refused from then on, whatever is
    /// accepted.
    ///
    /// The items stay sealed by the keyring's own password. Other processes that have the vault open get `rekeyed` from
    /// their next look on, and open it again; this one goes on.
    ///
    /// - Parameter changes: Works out changes that are made in the same commit, on a view of the vault as it is.
    /// - Returns: Where the vault stands then.
    /// - Throws: As `commit`; nothing has changed then, but after `commitUnknown`.
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
