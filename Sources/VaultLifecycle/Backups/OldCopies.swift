internal import FileStore

/// Copies of a vault file that this machine knows of; the secrets that opened them when they were made still do.
package struct OldCopies: Sendable {
    /// Backups that this machine remembers and that still exist.
    package let backups: Int
    /// When the newest of them was made or read, Unix seconds, and the folder that it is in.
    package let newest: (at: Int64, folder: String)?
    /// Files that a restore or a move set aside.
    package let kept: Int

    /// Looks for old copies.
    package init(of place: VaultPlace, _ vaultID: [UInt8], _ record: VaultRecord?) {
        let present = BackupMemory(place, vaultID).entries.filter { Path.isFile($0.path) }
        backups = present.count
        newest = present.max { $0.at < $1.at }.map { ($0.at, Path.folder(of: $0.path)) }
        let start = place.file.dropFirst(Path.folder(of: place.file).count + 1) + ".before-"
        let aside = Path.names(in: Path.folder(of: place.file)).filter { name in
            name.hasPrefix(start) && ["-wal", "-shm", "-journal"].allSatisfy { !name.hasSuffix($0) }
                && !name.contains(".new-")
        }
        kept = aside.count + (record?.kept.count ?? 0)
    }

    /// Whether this machine knows of no copy; others may exist.
    package var isNone: Bool { backups == 0 && kept == 0 }
}
