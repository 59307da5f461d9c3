public import HSIP
public import RecordStore
public import SSHFormats
public import Secrets
public import SharedLog
internal import Text
internal import VaultCrypto
internal import VaultPolicy

/// The errors of the vault, by module.
public enum VaultError: Error, Equatable, Sendable, Codable {
    /// An error of the protocol.
    case hsip(HSIPError)
    /// An error of the store.
    case store(StoreError)
    /// An error about SSH keys, host profiles or known hosts.
    case ssh(SSHVaultError)
    /// An error about passwords, tokens, notes and files.
    case secret(CredentialError)
    /// An error about secrets for contacts.
    case gift(GiftError)
    /// An error about items of programs and their collections.
    case item(ItemError)
    /// An error about keys of one-time passwords.
    case oneTime(OneTimeError)
    /// An error of the audit log.
    case audit(AuditError)
    /// An error about the rules of the policy.
    case rule(RuleRefusal)
    /// An error of the log that several machines share.
    case log(LogError)
    /// An error about the history of texts under a typed key.
    case text(TextHistoryError)
    /// The vault has no identity yet.
    case noIdentity
    /// The vault already has an identity; it can have only one.
    case identityExists
    /// The contact requires verification, and is not verified.
    case notVerified
    /// This program does not know the operation of a call.
    case unknownOperation
    /// A call or its answer does not have the form of its operation.
    case malformedCall
}

extension VaultError {
    /// Converts an error of a lower module into its case; an unknown error becomes `.hsip(.malformed)`.
    init(_ error: any Error) {
        switch error {
        case let error as VaultError: self = error
        case let error as HSIPError: self = .hsip(error)
        case let error as StoreError: self = .store(error)
        case let error as CryptoError: self = .store(StoreError(error))
        case let error as SSHFormatError: self = .ssh(.format(error))
        case let error as SSHVaultError: self = .ssh(error)
        case let error as CredentialError: self = .secret(error)
        case let error as GiftError: self = .gift(error)
        case let error as ItemError: self = .item(error)
        case let error as ServiceError: self = .item(ItemError(error))
        case let error as OneTimeError: self = .oneTime(error)
        case let error as AuditError: self = .audit(error)
        case let error as RuleRefusal: self = .rule(error)
        case let error as RuleError: self = .rule(.bad(error))
        case let error as LogError: self = .log(error)
        case let error as TextHistoryError: self = .text(error)
        case is CallFormatError: self = .malformedCall
        default: self = .hsip(.malformed)
        }
    }
}

/// Runs `act`; any error becomes a `VaultError`.
///
/// Inside this module an error may have any type. Functions for other modules, and each reading of the store, use this.
func asVaultError<R>(_ act: () throws -> R) throws(VaultError) -> R {
    do { return try act() } catch { throw VaultError(error) }
}

/// The errors about SSH keys, host profiles and known hosts.
public enum SSHVaultError: Error, Equatable, Sendable, Codable {
    /// The bytes or the value are invalid.
    case format(SSHFormatError)
    /// No key has this name.
    case unknownKey
    /// Another key has this name.
    case keyNameTaken
    /// The name is not valid for a `.pub` file.
    case badKeyName
    /// The key is in the vault already, perhaps in its trash.
    case keyInVault
    /// The key is in the trash, and must be restored first.
    case keyInTrash
    /// The key is not in use: retired, or kept aside.
    case keyNotInUse
    /// The private half is in a security key, which makes its own keys.
    case keyInHardware
    /// No host profile has this name.
    case unknownHost
    /// Another host profile has this name.
    case hostNameTaken
    /// The host profile is in the trash, and must be restored first.
    case hostInTrash
    /// A profile with this identifier is in the vault already.
    case hostInVault
    /// Another key, of any type, is known under this name.
    case hostKeyChanged
    /// The key must never be accepted for this host.
    case hostKeyRevoked
    /// The host or its new key is not trusted yet, and nobody could be asked.
    case trustRequired
    /// The key has another fingerprint than expected.
    case fingerprintDiffers
    /// The vault knows no such key of this host.
    case unknownHostKey
    /// The record read back differs from the written one.
    case readBackDiffers
}
