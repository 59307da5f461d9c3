internal import Console
internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import VaultLifecycle

/// What a stopped move left where it was going: a draft, a whole file that nobody ever opened, items without a
/// header.
///
/// Whoever takes it away holds the lock of moves, and the anchor does not say that the copy counts.
enum Leftovers {
    /// Takes it away.
    ///
    /// - Parameters:
    ///   - service: The keyring, where the move went there.
    ///   - epoch: The key epoch of the copy.
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
            // What is no file of this vault at this epoch was not made by the move.
            guard Path.exists(path), let glance = try? FileStore.glance(at: paths), glance.vaultID == vaultID,
                glance.epoch == epoch
            else { return }
            try FileStore.remove(path)
        }
    }
}
