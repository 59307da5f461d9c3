public import Credentials
public import HSIP
public import RecordStore

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
    /// Keys of one-time passwords.
    case oneTime(OneTimeError)
    /// The audit log.
    case audit(AuditError)
    /// The rules of the policy.
    case rule(RuleRefusal)
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
