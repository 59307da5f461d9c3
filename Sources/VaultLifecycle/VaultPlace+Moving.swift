internal import FileStore
internal import LocalState
internal import RecordStore

extension VaultPlace {
    /// The file is an old copy of a vault that was moved away from it: the anchor knows a later key epoch.
    package var isOldCopy: Bool {
        guard Path.exists(file), let glance = try? FileStore.glance(at: paths),
            let seen = try? Anchor(path: paths.anchor(glance.vaultID), vaultID: glance.vaultID).read()
        else { return false }
        return seen.position.epoch > glance.epoch
    }
}
