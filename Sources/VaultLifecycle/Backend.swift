package import RecordStore

/// What keeps the records of a vault.
package enum Backend: String, Sendable {
    /// An encrypted file.
    case file
    /// The desktop's Secret Service.
    case secretService = "secret-service"

    /// As the JSON output and the tables for scripts spell it.
    package var word: String {
        switch self {
        case .file: "file"
        case .secretService: "keyring"
        }
    }
}

/// Why a vault is kept where it is: decided once, written down, and shown by `status` and `doctor`.
package enum BackendReason: String, CaseIterable, Sendable {
    /// `--backend` or `--collection` said so.
    case asked
    /// A Secret Service answered, and its default collection was open or could be opened.
    case answered
    /// The vault was named by a path, and only a file has one.
    case path
    /// A passphrase, or a file for a recovery code, came along: only a vault file has these.
    case passphraseGiven
    /// It was moved by `vault migrate`.
    case migrated
    // What stood in the way of the keyring.
    case noSessionBus, noSecretService, noSecretLibrary, noSuchCollection, keyringLocked, keyringTimeout
    case keyringDied, keyringRefused, ownProvider

    /// What an error says about the keyring.
    package init(_ error: StoreError) {
        self =
            switch error {
            case .noSessionBus: .noSessionBus
            case .noSecretService: .noSecretService
            case .noSecretLibrary: .noSecretLibrary
            case .noSuchCollection: .noSuchCollection
            case .keyringLocked, .promptDismissed: .keyringLocked
            case .keyringTimeout, .busy: .keyringTimeout
            case .keyringDied: .keyringDied
            case .ownProvider: .ownProvider
            default: .keyringRefused
            }
    }

    /// As it was when the vault was made: a whole clause in the past.
    package var text: String {
        switch self {
        case .asked: "it was asked for"
        case .answered: "a Secret Service answered"
        case .path: "it was named by a path"
        case .passphraseGiven: "a passphrase or a file for the recovery code was given"
        case .migrated: "it was moved there"
        case .noSessionBus: "there was no session bus"
        case .noSecretService: "no Secret Service answered"
        case .noSecretLibrary: "libsecret was not installed"
        case .noSuchCollection: "the Secret Service had no default collection"
        case .keyringLocked: "the keyring was locked and hsip could not ask anyone to unlock it"
        case .keyringTimeout: "the Secret Service did not answer in time"
        case .keyringDied: "the Secret Service went away"
        case .keyringRefused: "the Secret Service refused"
        case .ownProvider: "the Secret Service was a vault of hsip itself"
        }
    }
}
