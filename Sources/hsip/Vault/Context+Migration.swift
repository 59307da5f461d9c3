internal import Console
internal import FileStore
internal import LocalState
internal import RecordStore
internal import SecretServiceStore
internal import VaultLifecycle

extension Context {
    /// What is recorded of the vault, after ending a move that was stopped between its turning point and the
    /// writing down of it: the anchor has been raised to the copy, so the copy is the vault.
    func settledRecord(_ place: VaultPlace) throws -> VaultRecord? {
        try explaining { try locator(place).settledRecord() }
    }

    /// Keeps every other move of this vault, and the removal of what one left, waiting.
    ///
    /// - Throws: `busy` after ten seconds.
    func moveLock(_ place: VaultPlace, _ vaultID: [UInt8]) throws(StoreError) -> HeldLock {
        try locator(place).moveLock(vaultID)
    }
}
