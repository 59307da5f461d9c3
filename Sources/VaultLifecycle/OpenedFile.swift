package import FileStore
package import RecordStore

/// A vault file that was opened, and what opened it: acts on key slots need the vault key once more.
package struct OpenedFile {
    package let store: FileStore
    package let secret: Unlock
    /// What the keyring keeps for it; nil for a file without a key slot there.
    package let companion: KeyringCompanion?
}
