internal import FileStore
internal import Presentation
package import RecordStore
package import SecretServiceStore
internal import System
internal import VaultCrypto
package import VaultLifecycle

extension Context {
    /// Whether the desktop may show a prompt: not over SSH, where it would appear on another screen.
    package var mayAskAtDesktop: Bool {
        console.hasDisplay && environment["SSH_CONNECTION"] == nil && !globals.asksNothing
            && !globals.leavesLocked && !console.refusesInput
    }

    /// How long hsip waits for the keyring while it works with a vault.
    package var patience: Patience { mayAskAtDesktop ? .person : .script }

    /// Connects to the Secret Service of this session.
    package func connect(_ patience: Patience) throws(StoreError) -> SecretService {
        try SecretService.connect(environment: environment.busVariables, patience: patience)
    }

    /// The paths of the anchor and the lock of a vault in the keyring.
    package func keyringPaths(_ place: VaultPlace) -> KeyringPaths { locator(place).keyringPaths }

    /// The state of the default keyring, found without a prompt, and the connection to it.
    package func lookAtKeyring() -> (finding: KeyringFinding, service: SecretService?) {
        do throws(StoreError) {
            let service = try connect(.probe)
            return (KeyringFinding(try service.collections()), service)
        } catch {
            return (.failed(error), nil)
        }
    }

    /// Refuses to make a vault if the keyring has a vault of this name that `config.json` does not know.
    ///
    /// Otherwise an empty vault would be made beside a full one.
    package func refuseStranger(in service: SecretService, _ place: VaultPlace) throws {
        try explaining { try VaultCreation(at: locator(place)).refuseStranger(in: service) }
    }

    /// Refuses options that give a passphrase, shares or a PIN: a vault in the keyring does not need them.
    package func refusePassphrase() throws {
        if globals.passphraseDescriptor != nil {
            throw Failure(OpeningError.needlessSecret(option: "--passphrase-fd"))
        }
        if globals.asksShares { throw Failure(OpeningError.needlessSecret(option: "--shares")) }
        if globals.pinFile != nil {
            throw Failure(OpeningError.needlessSecret(option: "--pin-file"))
        }
        if globals.passphraseFile != nil {
            throw Failure(OpeningError.needlessSecret(option: "--passphrase-file"))
        }
    }
}

/// The state of the session's default keyring.
package enum KeyringFinding: Equatable {
    /// The keyring's secrets can be read.
    case open
    /// The keyring must be unlocked first.
    case locked
    /// The keyring did not answer, or does not exist.
    case failed(StoreError)

    /// The state according to a list of collections.
    init(_ collections: [CollectionInfo]) {
        switch collections.first(where: \.isDefault) {
        case nil: self = .failed(.noSuchCollection)
        case let standard?: self = standard.isLocked ? .locked : .open
        }
    }
}
