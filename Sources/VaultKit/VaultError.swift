public import HSIP
public import RecordStore
public import SSHFormats
public import Secrets
public import SharedLog
internal import Text
internal import VaultCrypto
internal import VaultPolicy

/// Everything the vault refuses, by the module that refuses it.
public enum VaultError: Error, Equatable, Sendable, Codable {
    /// The protocol.
    case hsip(HSIPError)
    /// The store.
    case store(StoreError)
    /// SSH.
    case ssh(SSHVaultError)
    /// Passwords, tokens, notes and files.
    case secret(CredentialError)
    /// Secrets for contacts.
    case gift(GiftError)
    /// Items of programs, and their collections.
    case item(ItemError)
    /// Keys of one-time passwords.
    case oneTime(OneTimeError)
    /// The audit log.
    case audit(AuditError)
    /// The rules of the policy.
    case rule(RuleRefusal)
    /// The log of several machines.
    case log(LogError)
    /// The history of texts under a typed key.
    case text(TextHistoryError)
    /// The vault has no identity yet.
    case noIdentity
    /// It has one; a vault holds one identity.
    case identityExists
    /// The contact is set to require verification, and is not verified.
    case notVerified
    /// A call for an operation that this program does not know.
    case unknownOperation
    /// A call, or its answer, that is not in the form of its operation.
    case malformedCall
}

extension VaultError {
    /// Puts an error of a lower module into its own case; an unknown one is `.hsip(.malformed)`.
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
/// Inside this module an error may have any type. What others call, and each reading of the store, goes through here.
func asVaultError<R>(_ act: () throws -> R) throws(VaultError) -> R {
    do { return try act() } catch { throw VaultError(error) }
}

/// The errors about SSH keys, host profiles and known hosts.
public enum SSHVaultError: Error, Equatable, Sendable, Codable {
    /// Bytes or a value that are not what they should be.
    case format(SSHFormatError)
    /// No key has this name.
    case unknownKey
    /// Another key has this name.
    case keyNameTaken
    /// A name that cannot be that of a `.pub` file.
    case badKeyName
    /// The key is in the vault already, perhaps in its trash.
    case keyInVault
    /// The key is in the trash; it has to come out first.
    case keyInTrash
    /// The key is not in use: retired, or kept aside.
    case keyNotInUse
    /// The private half is in a security key, which makes its keys itself.
    case keyInHardware
    /// No host profile has this name.
    case unknownHost
    /// Another host profile has this name.
    case hostNameTaken
    /// The host profile is in the trash; it has to come out first.
    case hostInTrash
    /// A profile with this identifier is in the vault already.
    case hostInVault
    /// Another key is known under this name, of whatever type.
    case hostKeyChanged
    /// The key must never be accepted for this host.
    case hostKeyRevoked
    /// Nothing is known of the host, or its new key was to be compared, and no one could be asked.
    case trustRequired
    /// The key does not have the fingerprint that was expected.
    case fingerprintDiffers
    /// The vault knows no such key of this host.
    case unknownHostKey
    /// The record read back differs from the written one.
    case readBackDiffers
}
