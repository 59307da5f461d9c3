/// Why a backup is not put in the place of a vault; nothing was changed.
package enum RestoreError: Error, Equatable, Sendable {
    /// The vault lies in the keyring, and has no file.
    case inKeyring
    /// There is no such file.
    case noBackup
    /// The file is the vault itself.
    case isVault
    /// A log lies beside the file: it is a vault, not a backup.
    case hasLog(path: String)
    /// Another vault of this user, by its name, is the one that this is a backup of.
    case twin(name: String)
    /// The vault's file is gone, and its log is there, with commits that only it has.
    case strayLog(path: String)
    /// There is a vault, and it was not said that it is to be replaced.
    case occupied(path: String)
    /// The keyring has the vault, and it was not said that it is to be replaced.
    case inUse
    /// The vault of this name lies in the keyring, and the backup is one of another vault.
    case otherVault
    /// A move of the vault was begun and has not ended.
    case isMoving
}
