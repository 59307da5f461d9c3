package import FileStore

/// The first backups under a new vault key: older backups can no longer replace the vault.
package enum FirstBackups {
    /// The result for one folder.
    package struct Attempt {
        /// The folder, an absolute path.
        package let folder: String
        package let result: Result<FolderBackup.Outcome, any Error>
    }

    /// Makes a backup in each folder with rotated copies that this machine remembers, if the folder exists now.
    ///
    /// If a backup fails in one folder, the next folder still gets one. Older copies stay.
    ///
    /// - Parameters:
    ///   - store: the vault under its new key.
    ///   - found: the same vault, as it was found.
    ///   - place: where the vault is stored.
    ///   - progress: Shows the progress.
    ///   - now: Unix seconds.
    /// - Returns: one attempt for each folder, the last used folder first.
    package static func make(
        of store: FileStore,
        _ found: FoundVault,
        at place: VaultPlace,
        showing progress: any Progress,
        now: Int64
    ) -> [Attempt] {
        make(of: found, at: place) { backup, retention in
            try backup.run(store, keeping: retention, showing: progress, now: now)
        }
    }

    /// Makes the first backups of a vault in the keyring, whose backups have a key again.
    package static func make(
        of copies: KeyringCopies,
        _ found: FoundVault,
        at place: VaultPlace,
        showing progress: any Progress,
        now: Int64
    ) -> [Attempt] {
        make(of: found, at: place) { backup, retention in
            try backup.run(copies, keeping: retention, showing: progress, now: now)
        }
    }

    private static func make(
        of found: FoundVault,
        at place: VaultPlace,
        _ run: (FolderBackup, Retention) throws -> FolderBackup.Outcome
    ) -> [Attempt] {
        guard let retention = Retention(newest: 7, monthly: 12) else { return [] }
        return folders(BackupMemory(place, found.vaultID)).map { folder in
            Attempt(
                folder: folder,
                result: Result { try run(FolderBackup(folder, of: found, at: place), retention) }
            )
        }
    }

    /// The folders with copies whose names tell their generation.
    private static func folders(_ memory: BackupMemory) -> [String] {
        var folders: [String] = []
        for entry in memory.entries.reversed() {
            let folder = Path.folder(of: entry.path)
            guard BackupName(String(entry.path.dropFirst(folder == "/" ? 1 : folder.count + 1))) != nil,
                !folders.contains(folder), Path.isFolder(folder)
            else { continue }
            folders.append(folder)
        }
        return folders
    }
}
