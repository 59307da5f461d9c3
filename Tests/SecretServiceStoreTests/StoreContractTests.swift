import RecordStore
import SecretServiceStore
import Support
import Synchronization
import Testing

@Suite struct StoreContractTests {
    /// Vaults by the store that was made in them, so that they live as long as the test.
    private final class Vaults: Sendable {
        let open = Mutex<[ObjectIdentifier: StoreScratchKeyring]>([:])

        func keep(_ vault: StoreScratchKeyring, for store: any Store) -> any Store {
            open.withLock { $0[ObjectIdentifier(store)] = vault }
            return store
        }

        func vault(of store: any Store) throws -> StoreScratchKeyring {
            try #require(open.withLock { $0[ObjectIdentifier(store)] })
        }
    }

    private func check(_ promise: StorePromise, _ plainKinds: PlainKinds) throws {
        let vaults = Vaults()
        try promise.check(
            StoreBackend(
                make: {
                    let vault = try StoreScratchKeyring(plainKinds)
                    return vaults.keep(vault, for: try vault.create())
                },
                reopen: { try vaults.vault(of: $0).open($0.vaultID) },
                raiseFloor: { try #require($0 as? SecretServiceStore).acceptRollback() }
            )
        )
    }

    @Test(arguments: StorePromise.all)
    func `a keyring keeps the contract`(promise: StorePromise) throws {
        try check(promise, .standard)
    }

    @Test(arguments: StorePromise.all)
    func `a keyring keeps the contract when every text is a plain item`(promise: StorePromise) throws {
        try check(promise, .every)
    }
}
