package import FileStore

/// The first backups under a new vault key: those of before cannot take the vault's place any more.
package enum FirstBackups {
    /// What came of one folder.
    package struct Attempt {
        /// The folder, an absolute path.
        package let folder: String
        package let result: Result<FolderBackup.Outcome, any Error>
    }

    /// Makes one in each folder where this machine remembers copies by generations, as far as it is there now.
    ///
    /// A folder that takes none is no reason to leave out the next one. Copies of before stay.
    ///
    /// - Parameters:
    ///   - store: the vault under its new key.
    ///   - found: the same vault, as it was found.
    ///   - place: where it lies.
    ///   - progress: Shows that it goes on.
    ///   - now: Unix seconds.
    /// - Returns: one for each folder, the one that was used last first.
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

    /// The same of a vault in the keyring, whose backups have a key again.
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

    /// The folders of copies that have names by generation.
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
