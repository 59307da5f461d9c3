package import RecordStore
package import Secrets
package import System
internal import VaultCrypto

/// Why a vault was not found, or not opened.
///
/// Payloads are paths and options that the program made or was given, never the content of a file.
package enum OpeningError: Error, Equatable, Sendable {
    /// `$HOME` is not set to an absolute path, so there is no place for a vault.
    case noHome
    /// A vault's name is empty, or begins with a dot.
    case badName
    /// The current folder of the process was removed.
    case noCurrentFolder
    /// `config.json` is not what this program wrote.
    case unreadableConfig(path: String)
    /// `config.json`, or its folder, cannot be written.
    case unwritableConfig(path: String)
    /// The folder of `config.json` cannot be made.
    case noConfigFolder(path: String)
    /// A file beside the vault could not be read or written.
    case file(ProgramError)
    /// A secret in a file or a credential could not be read.
    case secretFile(path: String, ProgramError)
    /// The descriptor that a secret should come from is not open.
    case closedDescriptor(Int32)
    /// An option named a secret, but the vault is in the keyring and does not have one.
    case needlessSecret(option: String)
    /// A vault is not where, or not what, `config.json` says.
    case misplaced(Misplacement)
    /// The shares that a person gave do not give a secret.
    case shares(ShareError)
    /// A TPM or a security key could not be used, or `hsip-hardware` is missing or failed.
    case hardware(HardwareError)
    /// A wrong PIN would lock the security key for good, and `--last-tries` is missing.
    case lastTries
    /// A PIN is shorter or longer than allowed.
    case badPIN
    /// The store refused.
    case store(StoreError)

    /// Puts an error of a lower module into its own case; an unknown one is `.store(.corrupt)`.
    init(_ error: any Error) {
        switch error {
        case let error as OpeningError: self = error
        case let error as HardwareError: self = .hardware(error)
        case let error as ProgramError: self = .file(error)
        case let error as StoreError: self = .store(error)
        case let error as CryptoError: self = .store(StoreError(error))
        default: self = .store(.corrupt)
        }
    }
}

/// Runs `act`; any error becomes an `OpeningError`.
func asOpeningError<R: ~Copyable>(_ act: () throws -> R) throws(OpeningError) -> R {
    do { return try act() } catch { throw OpeningError(error) }
}

/// How a vault differs from what `config.json` says of it.
package enum Misplacement: Equatable, Sendable {
    /// A vault of that name is there, and no record says that it belongs here.
    case unrecorded(file: String)
    /// A newer program chose an unknown way of storing the vault.
    case unknownBackend
    /// The vault was recorded at another path.
    case moved(file: String)
    /// The vault was recorded here, but the file is missing.
    case missing(file: String)
    /// The file is another vault than the recorded one.
    case exchanged(file: String)
    /// The keyring answers, but the vault that was made in it is missing.
    case noHeader(label: String)
    /// The keyring holds a vault of that name that was not recorded here.
    case unrecordedInKeyring(name: String)
    /// An act on key slots or on the file, of a vault that has neither.
    case notForKeyring
}

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
