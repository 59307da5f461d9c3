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

    /// How long the keyring is waited for in the work with a vault.
    package var patience: Patience { mayAskAtDesktop ? .person : .script }

    /// Connects to the Secret Service of this session.
    package func connect(_ patience: Patience) throws(StoreError) -> SecretService {
        try SecretService.connect(environment: environment.busVariables, patience: patience)
    }

    /// Where anchor and lock of a vault in the keyring lie.
    package func keyringPaths(_ place: VaultPlace) -> KeyringPaths { locator(place).keyringPaths }

    /// What was found of the default keyring without a prompt, and the connection to it.
    package func lookAtKeyring() -> (finding: KeyringFinding, service: SecretService?) {
        do throws(StoreError) {
            let service = try connect(.probe)
            return (KeyringFinding(try service.collections()), service)
        } catch {
            return (.failed(error), nil)
        }
    }

    /// Refuses to make a vault where the keyring holds one of this name that `config.json` does not know: it
    /// would be an empty one beside a full one.
    package func refuseStranger(in service: SecretService, _ place: VaultPlace) throws {
        try explaining { try VaultCreation(at: locator(place)).refuseStranger(in: service) }
    }

    /// A vault in the keyring has no passphrase; one that was given outright is a misunderstanding.
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

/// How the default keyring of this session was found.
package enum KeyringFinding: Equatable {
    /// Its secrets can be read.
    case open
    /// It must be unlocked first.
    case locked
    /// It did not answer, or there is none.
    case failed(StoreError)

    /// What a list of collections says.
    init(_ collections: [CollectionInfo]) {
        switch collections.first(where: \.isDefault) {
        case nil: self = .failed(.noSuchCollection)
        case let standard?: self = standard.isLocked ? .locked : .open
        }
    }
}
