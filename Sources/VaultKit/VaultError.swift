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

    /// The exit code of the command line, the C library and the agent (Schemas/exit-codes.json).
    public var exitCode: Int32 {
        switch self {
        case .hsip(let error): error.exitCode
        case .store(let error): error.exitCode
        case .ssh(let error): error.exitCode
        case .secret(let error): error.exitCode
        case .oneTime(let error): error.exitCode
        case .audit(let error): error.exitCode
        case .rule(let error): error.exitCode
        case .text(let error): error.exitCode
        case .noIdentity: 3
        case .identityExists: 4
        case .notVerified: 6
        case .unknownOperation: 12
        case .malformedCall: 13
        }
    }

    /// The name, as the JSON output spells it.
    public var name: String {
        switch self {
        case .hsip(let error): error.name
        case .store(let error): error.name
        case .ssh(let error): error.name
        case .secret(let error): error.name
        case .oneTime(let error): error.name
        case .audit(let error): error.name
        case .rule(let error): error.name
        case .text(let error): error.name
        case .noIdentity: "noIdentity"
        case .identityExists: "identityExists"
        case .notVerified: "notVerified"
        case .unknownOperation: "unknownOperation"
        case .malformedCall: "malformedCall"
        }
    }
}
