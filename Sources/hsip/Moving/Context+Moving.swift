internal import Console
internal import FileStore
internal import LocalState
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

extension Context {
    /// What is recorded of the vault, after ending a move that was stopped between its turning point and the
    /// writing down of it: the anchor has been raised to the copy, so the copy is the vault.
    func settledRecord(_ place: VaultPlace) throws -> VaultRecord? {
        let config = config(place)
        let present = try config.record(of: place.key)
        guard let record = present, let note = record.move else { return present }
        let anchor = Anchor(path: place.paths.anchor(record.id), vaultID: record.id)
        guard let seen = try anchor.read(), seen.position >= note.position else { return record }
        try config.change(place.key) { present in
            guard let present, present.move == note else { return present }
            return present.moved(to: note.target, now: note.started)
        }
        return try config.record(of: place.key)
    }

    /// Keeps every other move of this vault, and the removal of what one left, waiting.
    ///
    /// - Throws: `busy` after ten seconds.
    func moveLock(_ place: VaultPlace, _ vaultID: [UInt8]) throws(StoreError) -> HeldLock {
        let path = "\(place.paths.anchorFolder)/move-\(Hex.encode(vaultID))"
        return try VaultLock(path: path, vaultID: vaultID).exclusive()
    }
}
