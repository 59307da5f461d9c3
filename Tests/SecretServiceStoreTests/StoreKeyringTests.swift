import LocalState
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// The same contract over a real GNOME Keyring, and what only a real one can show.
@Suite(.serialized) struct StoreKeyringTests {
    /// A keyring session, and the vaults that a test makes in it.
    struct Session {
        let keyring: ScratchKeyring
        let service: SecretService
        let paths: KeyringPaths
        let collection: CollectionInfo
        let entropy = Entropy.system

        init() throws {
            keyring = try ScratchKeyring()
            service = try SecretService.connect(environment: keyring.environment, patience: .script)
            paths = Self.paths(keyring.environment)
            collection = try service.collection(.standard, making: false)
        }

        static func paths(_ environment: [String: String]) -> KeyringPaths {
            KeyringPaths(
                anchorFolder: (environment["XDG_STATE_HOME"] ?? "") + "/hsip",
                environment: environment
            )
        }

        func create(_ plainKinds: PlainKinds = .standard) throws -> SecretServiceStore {
            try SecretServiceStore.create(
                named: "home",
                in: collection,
                paths: paths,
                items: service,
                plainKinds: plainKinds,
                entropy: entropy,
                now: { StoreScratchKeyring.now }
            )
        }

        func open(
            _ vaultID: [UInt8],
            _ plainKinds: PlainKinds = .standard,
            _ service: SecretService? = nil
        ) throws -> SecretServiceStore {
            try SecretServiceStore.open(
                vaultID: vaultID,
                paths: paths,
                items: service ?? self.service,
                plainKinds: plainKinds,
                describe: { _ in collection },
                entropy: entropy,
                now: { StoreScratchKeyring.now }
            )
        }
    }

    private func check(_ promise: StorePromise, _ plainKinds: PlainKinds) throws {
        let session = try Session()
        try promise.check(
            StoreBackend(
                make: { try session.create(plainKinds) },
                reopen: { try session.open($0.vaultID, plainKinds) },
                raiseFloor: { try #require($0 as? SecretServiceStore).acceptRollback() }
            )
        )
    }

    @Test(arguments: StorePromise.all)
    func `GNOME Keyring keeps the contract`(promise: StorePromise) throws {
        try check(promise, .standard)
    }

    @Test(arguments: StorePromise.all)
    func `GNOME Keyring keeps the contract when every text is a plain item`(promise: StorePromise) throws {
        try check(promise, .every)
    }
}
