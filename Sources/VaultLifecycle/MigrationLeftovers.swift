internal import FileStore
internal import RecordStore
package import SecretServiceStore

/// What moves left: old copies that are kept for a while, and unfinished copies that a stopped move made.
package struct MigrationLeftovers {
    private let locator: VaultLocator
    private let patience: Patience

    /// Finds what the moves of one vault left; `patience` says how long to wait for a keyring.
    package init(_ locator: VaultLocator, _ patience: Patience) {
        self.locator = locator
        self.patience = patience
    }

    /// Removes an old copy, unless the vault is there again by now.
    ///
    /// - Throws: `MigrationError.overtaken`; `taken` if the file is not a copy of this vault.
    package func remove(_ copy: KeptCopy, of record: VaultRecord) throws {
        let lock = try locator.moveLock(record.id)
        defer { withExtendedLifetime(lock) {} }
        guard let present = try locator.settledRecord(), present.id == record.id,
            let location = present.location, location != copy.location, present.kept.contains(copy)
        else { throw MigrationError.overtaken }
        switch copy.location {
        case .keyring:
            guard location.backend == .file else { throw MigrationError.overtaken }
            try SecretServiceStore.erase(
                vaultID: record.id,
                service: try locator.connect(patience),
                paths: locator.keyringPaths
            )
        case .file(let path):
            let paths = VaultPaths(vault: path, anchorFolder: locator.place.paths.anchorFolder)
            if Path.exists(path) {
                // A file of another vault, put there meanwhile, must not be removed.
                guard try FileStore.overview(at: paths).vaultID == record.id else {
                    throw MigrationError.taken(path: path)
                }
                try FileStore.remove(path)
            }
            forgetSlots(of: record, but: copy)
        }
        try locator.config.change(locator.place.key) { present in
            guard var present else { return nil }
            present.kept = present.kept.filter { $0 != copy }
            return present
        }
    }

    /// Removes what a stopped move left, and its note.
    ///
    /// - Throws: `MigrationError.overtaken`; `lastCopy` if the vault itself is gone.
    package func forget(_ note: MoveNote, of record: VaultRecord) throws {
        let lock = try locator.moveLock(record.id)
        defer { withExtendedLifetime(lock) {} }
        guard let present = try locator.settledRecord(), present.move == note else {
            throw MigrationError.overtaken
        }
        guard try isThere(present) else { throw MigrationError.lastCopy }
        let service = note.target.backend == .file ? nil : try locator.connect(patience)
        try Self.remove(note, of: record.id, at: locator, service)
    }

    /// Removes what a move made at its target, and then its note.
    ///
    /// - Throws: what `remove` and the change of `config.json` throw.
    static func remove(
        _ note: MoveNote,
        of vaultID: [UInt8],
        at locator: VaultLocator,
        _ service: SecretService?
    ) throws {
        try remove(
            from: note.target,
            of: vaultID,
            epoch: note.position.epoch,
            locator.place.paths,
            service
        )
        try locator.config.change(locator.place.key) { present in
            guard var present, present.move == note else { return present }
            present.move = nil
            return present
        }
    }

    /// Removes a draft, a whole file that was never opened, or items without a header.
    ///
    /// The caller must hold the lock of moves, and the anchor must not say that the copy counts.
    ///
    /// - Parameters:
    ///   - target: The target of the move.
    ///   - vaultID: The id of the copy; a file of another vault stays.
    ///   - epoch: The key epoch of the copy; a file of another one stays.
    ///   - paths: Where the anchors are stored.
    ///   - service: The keyring, if the move went there.
    /// - Throws: `noSecretService` for a move to the keyring without `service`; what removing throws.
    static func remove(
        from target: Location,
        of vaultID: [UInt8],
        epoch: UInt32,
        _ paths: VaultPaths,
        _ service: SecretService?
    ) throws(StoreError) {
        switch target {
        case .keyring:
            guard let service else { throw .noSecretService }
            try SecretServiceStore.eraseUnfinished(vaultID: vaultID, epoch: epoch, service: service)
        case .file(let path):
            let paths = VaultPaths(vault: path, anchorFolder: paths.anchorFolder)
            try FileStore.removeDrafts(at: paths)
            // A file of another vault or epoch was not made by the move.
            guard Path.exists(path), let overview = try? FileStore.overview(at: paths),
                overview.vaultID == vaultID,
                overview.epoch == epoch
            else { return }
            try FileStore.remove(path)
        }
    }

    /// Removes what the keyring keeps for vault files if the last file is gone.
    ///
    /// If the keyring cannot be reached now, the items stay and do no harm.
    private func forgetSlots(of record: VaultRecord, but copy: KeptCopy) {
        let files = record.kept.count { $0.location.backend == .file && $0 != copy }
        guard record.location?.backend == .secretService, files == 0,
            let service = try? locator.connect(.probe),
            let found = try? KeyringSlot.find(record.id, in: service)
        else { return }
        for slot in found.slots { try? slot.remove(service) }
        try? KeyringAnchor.remove(record.id, service)
    }

    /// Whether the vault itself is where it was recorded; otherwise the leftovers might be the only copy.
    private func isThere(_ record: VaultRecord) throws(StoreError) -> Bool {
        switch record.location {
        case .file(let path): Path.exists(path)
        case .keyring:
            try SecretServiceStore.keyEpoch(of: record.id, in: locator.connect(patience)) != nil
        case nil: false
        }
    }
}
