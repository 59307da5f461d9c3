package import FileStore
package import RecordStore
internal import SecretServiceStore

/// A copy of the encrypted vault file.
package struct VaultBackup {
    /// Why no backup is written; nothing was changed.
    package enum Refusal: Error, Equatable, Sendable {
        /// The file that was named is the vault itself, also by another name.
        case isVault
        /// What has this name is no ordinary file.
        case notAFile
    }

    /// Where it goes, an absolute path.
    package let target: String
    private let place: VaultPlace
    private let replaces: Bool

    /// Checks the place of a backup before anybody is asked for anything.
    ///
    /// - Parameters:
    ///   - file: The path of the backup; a relative path counts from the current folder.
    ///   - place: Where that vault is stored.
    ///   - replaces: Whether a file of that name is replaced.
    /// - Throws: `Refusal`; `noCurrentFolder`.
    package init(_ file: String, at place: VaultPlace, replaces: Bool) throws {
        target = try AbsolutePath.of(file)
        (self.place, self.replaces) = (place, replaces)
        guard !Path.isSame(target, place.file) else { throw Refusal.isVault }
        guard !Path.exists(target) || Path.isFile(target) else { throw Refusal.notAFile }
    }

    /// Copies the vault's present state, reads the copy whole, and remembers it; `now` is in Unix seconds.
    package func write(
        _ store: FileStore,
        showing progress: any Progress,
        now: Int64
    ) throws(StoreError) -> VerifyReport {
        let report = try progress.during(.backingUp) { () throws(StoreError) in
            try store.backUp(to: target, replaces: replaces)
        }
        BackupMemory.note(target, report, of: place, store.vaultID, now: now)
        return report
    }

    /// Copies a vault in the keyring, which has a key for its backups, reads the copy whole, and remembers it.
    ///
    /// - Throws: `noSuchSlot` if the vault does not have that key; what making the copy throws.
    package func write(
        _ copies: KeyringCopies,
        showing progress: any Progress,
        now: Int64
    ) throws(StoreError) -> VerifyReport {
        let report = try progress.during(.backingUp) { () throws(StoreError) in
            try copies.write(to: target, replaces: replaces)
        }
        BackupMemory.note(target, report, of: place, copies.store.vaultID, now: now)
        return report
    }
}
