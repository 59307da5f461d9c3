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

    private func check(_ promise: StorePromise, _ natives: NativeValues? = nil) throws {
        let vaults = Vaults()
        try promise.check(
            StoreBackend(
                make: {
                    let vault = try StoreScratchKeyring(natives)
                    return vaults.keep(vault, for: try vault.create())
                },
                reopen: { try vaults.vault(of: $0).open($0.vaultID) },
                raiseFloor: { try #require($0 as? SecretServiceStore).acceptRollback() }
            )
        )
    }

    @Test(arguments: StorePromise.all)
    func `a keyring keeps the contract`(promise: StorePromise) throws {
        try check(promise)
    }

    @Test(arguments: StorePromise.all)
    func `a keyring keeps the contract without copies for other programs`(promise: StorePromise) throws {
        try check(promise, NativeValues.none)
    }
}
