/// Why a backup does not replace a vault; nothing was changed.
package enum RestoreError: Error, Equatable, Sendable {
    /// The vault is in the keyring, and has no file.
    case inKeyring
    /// The backup file does not exist.
    case noBackup
    /// The file is the vault itself.
    case isVault
    /// A log is beside the file, so the file is a vault, not a backup.
    case hasLog(path: String)
    /// This is a backup of another vault of this user, which is named here.
    case twin(name: String)
    /// The vault's file is missing, but its log exists, with commits that only the log has.
    case strayLog(path: String)
    /// A vault exists at this path, and replacing it was not requested.
    case occupied(path: String)
    /// The vault is in the keyring, and replacing it was not requested.
    case inUse
    /// The vault of this name is in the keyring, and the backup is of another vault.
    case otherVault
    /// A move of the vault has begun and not ended.
    case isMoving
}
